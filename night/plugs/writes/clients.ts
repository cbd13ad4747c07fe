// `npm run test:n8n -- plugs --calendar`: the content sheet of 50 clients. It is run, 100 of its rows are
// edited, and it is run again. n8n is killed in the middle of both. In the end each row must have one post
// with the row's content, no two posts of a client may be due at one time, and the requests are counted.

import type { Account, FakeService } from '../../../fake-service';
import { say, step } from '../../../scripts/n8n/progress';
import { until } from '../../../scripts/n8n/waiting';
import { tell, type Place } from '../../program';
import { credentialOf } from '../../../test/e2e/workflows';
import { sheetOfClients } from './calendar';
import { ended, runAnew, runToEnd, setUp, type Scene } from './scene';
import {
	EDITS,
	editsIn,
	isGoodSheet,
	judgeSheet,
	sheetOf,
	withEdits,
	type SheetRow,
	type SheetVerdict,
} from './sheet';

const CLIENTS = 50;
/** What each client has scheduled before. */
const EXISTING = 10;
const GAP_MINUTES = 60;
const LATENCY_MS = 20;
const PATIENCE_MS = 1_800_000;
const SHOWN = 10;

export async function fillCalendars(place: Place): Promise<boolean> {
	const { service } = place;
	const clients = addClients(service);
	const now = Date.now();
	const sheet = sheetOf(
		clients.map(({ id }) => id),
		now,
	);
	const edits = editsIn(sheet, now);
	const edited = withEdits(sheet, edits);
	const scene = await step('Starting n8n with the packed package', () =>
		setUp(place, {
			workflow: (ids) => sheetOfClients(credentialOf(ids, 'agency'), GAP_MINUTES),
			...{ rows: sheet, latencyMs: LATENCY_MS },
		}),
	);
	const stage = async (name: string, run: () => Promise<Ran>): Promise<Ran> => {
		service.clearLog();
		const ran = await step(name, run);
		return { ...ran, requests: countRequests(service) };
	};

	const made = () => clients.reduce((sum, { posts }) => sum + posts.size - EXISTING, 0);
	const filled = await stage('Running the sheet, with a kill after a third of it', () =>
		runWithKill(scene, { count: made, killAt: sheet.length / 3 }),
	);
	const afterFilling = judgeAll(clients, { rows: sheet });

	const takenBack = edits.filter(
		({ before, after }) => before.status === 'scheduled' && after.status === 'draft',
	);
	const keptScheduled = new Set(takenBack.map(({ after }) => after.row));
	scene.rows = edited;
	const updates = () => service.requests.filter(({ route }) => route === 'posts.update').length;
	const changed = await stage(`Running it with ${edits.length} edited rows, with a kill`, () =>
		runWithKill(scene, { count: updates, killAt: edits.length / 3 }),
	);
	const afterEdits = judgeAll(clients, { rows: edited, keptScheduled });

	const again = await stage('Running it once more', async () => {
		await runAnew(scene);
		return { status: await ended(scene), atKill: 0 };
	});
	const atEnd = judgeAll(clients, { rows: edited, keptScheduled });
	await scene.n8n.stop();

	const ofKind = (kind: string) => edits.filter(({ edit }) => edit === kind).length;
	say();
	tell(
		['sheet', `${CLIENTS} clients, ${sheet.length} rows; ${filled.atKill} posts at the kill`],
		[
			'edits',
			`${EDITS.map((kind) => `${ofKind(kind)} ${kind}`).join(', ')}; ${changed.atKill} sent at the kill`,
		],
		['', `${keptScheduled.size} of them say draft again, and their posts stay scheduled`],
		['filled', inWords(filled, afterFilling)],
		['edited', inWords(changed, afterEdits)],
		['again', inWords(again, atEnd)],
	);
	for (const { different } of [afterFilling, afterEdits, atEnd])
		for (const one of different.slice(0, SHOWN)) say(`  different: ${one}`);
	const writes = (ran: Ran): number =>
		Object.entries(ran.requests ?? {}).reduce(
			(sum, [route, count]) =>
				route === 'posts.list' || route === 'posts.get' ? sum : sum + count,
			0,
		);
	const creations = (ran: Ran): number => ran.requests?.['posts.create'] ?? 0;
	return (
		[filled, changed, again].every(({ status }) => status === 'success') &&
		[afterFilling, afterEdits, atEnd].every(isGoodSheet) &&
		// Both were really killed in the middle of their work.
		filled.atKill < sheet.length &&
		changed.atKill < edits.length - keptScheduled.size &&
		creations(changed) === 0 &&
		writes(again) === 0
	);
}

function addClients({ world }: FakeService): Account[] {
	return Array.from({ length: CLIENTS }, (_, at) => {
		const client = world.addClient(world.agency, `Client ${at + 1}`);
		for (let day = 1; day <= EXISTING; day += 1) {
			const time = new Date(Date.now() + day * 2 * 86_400_000).toISOString();
			world.addPost(client, { status: 'scheduled', scheduled_at: time });
		}
		return client;
	});
}

interface Ran {
	/** Of the last execution. */
	readonly status: string;
	/** How far the work had come when n8n was killed. */
	readonly atKill: number;
	/** How many requests of each kind. */
	readonly requests?: Readonly<Record<string, number>>;
}

/** Starts the workflow, kills n8n once the work has come so far, and runs the workflow again to its end. */
async function runWithKill(
	scene: Scene,
	{ count, killAt }: { count: () => number; killAt: number },
): Promise<Ran> {
	await runAnew(scene);
	await until(() => count() >= killAt, { everyMs: 20, patienceMs: PATIENCE_MS });
	await scene.n8n.kill();
	const atKill = count();
	await scene.restart();
	await ended(scene);
	await runAnew(scene);
	return { status: await runToEnd(scene), atKill };
}

function countRequests({ requests }: FakeService): Record<string, number> {
	const counts: Record<string, number> = {};
	for (const { route } of requests) {
		const name = route ?? 'unknown';
		counts[name] = (counts[name] ?? 0) + 1;
	}
	return counts;
}

function judgeAll(
	clients: readonly Account[],
	{ rows, keptScheduled }: { rows: readonly SheetRow[]; keptScheduled?: ReadonlySet<string> },
): SheetVerdict {
	const verdicts = clients.map(({ id, posts }) =>
		judgeSheet(posts.toArray(), {
			...{ rows: rows.filter(({ client }) => client === id), keptScheduled },
			gapMinutes: GAP_MINUTES,
		}),
	);
	const all = (what: keyof SheetVerdict) => verdicts.flatMap((verdict) => verdict[what]);
	return {
		...{ missing: all('missing'), twice: all('twice') },
		...{ different: all('different'), tooNear: all('tooNear') },
	};
}

function inWords(
	{ status, requests = {} }: Ran,
	{ missing, twice, different, tooNear }: SheetVerdict,
): string {
	const sent = Object.entries(requests).map(([route, count]) => `${count} ${route}`);
	return `${status}; ${missing.length} missing, ${twice.length} twice, ${different.length} different, ${tooNear.length} too near; requests: ${sent.join(', ')}`;
}
