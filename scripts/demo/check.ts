// The demo without a person: life comes in bursts, and in the end the tables must say exactly what
// the service says, record by record. What is delivered again changes no row, so it is only counted.
// The calendar is run, one of its rows is edited, and it is run again.

import { setTimeout as pause } from 'node:timers/promises';

import { say, seconds, step } from '../n8n/progress';
import { editCalendar } from './editCalendar';
import {
	activityIds,
	agrees,
	caughtUp,
	compareTables,
	countDeliveries,
	type Comparison,
	type Deliveries,
} from './ledger';
import { KEYWORD } from './life';
import type { Demo } from './furnishN8n';

/** Two polls more, in case something arrives that has arrived already. */
const AFTERMATH_MS = 45_000;

export async function check(demo: Demo): Promise<boolean> {
	const before = activityIds(demo);
	await step('Adding leads and activity, in bursts', () => bursts(demo));
	const since = Date.now();
	await step('Waiting until the tables have caught up', () => caughtUp(demo, before));
	const delay = seconds(since);
	await step('Waiting for unexpected deliveries', () => pause(AFTERMATH_MS));
	const wrongPosts = await step('Running the calendar, editing a row and running it again', () =>
		editCalendar(demo),
	);
	const final = await compareTables(demo, before);
	const deliveries = await countDeliveries(demo);
	report(final, deliveries, delay);
	say(
		wrongPosts.length === 0
			? 'content calendar: each ready row has its post, and the edited one has its new text'
			: `content calendar: ${wrongPosts.join('; ')}`,
	);
	return final.every(agrees) && deliveries.failed.length === 0 && wrongPosts.length === 0;
}

async function bursts({ service: { world } }: Demo): Promise<void> {
	const { own, clientA, clientB, clientC } = world;
	const comment = (account: typeof own) => void world.comment(account, KEYWORD);
	const now = () => ({ from: Date.now(), everyMs: 0 });
	const BURSTS = [
		// One at a time, as on a quiet day.
		() => [own, clientA].forEach(comment),
		// More than a page at once.
		() => [own, clientA, clientB].forEach((account) => world.seedLeads(account, 130, now())),
		// A post that takes off, here and there.
		() => [own, own, own, own, own, clientA, clientB, clientC, clientC].forEach(comment),
		// Comments and messages, most of them with another keyword or none.
		() => world.seedActivity(own, 60, now()),
		() => [own, clientC, own].forEach(comment),
	];
	for (const burst of BURSTS) {
		burst();
		await pause(3_000 + Math.random() * 4_000);
	}
	for (let place = 0; place < 20; place++) {
		comment([own, clientA, clientB, clientC][place % 4] ?? own);
		await pause(100 + Math.random() * 700);
	}
}

function report(tables: Comparison[], deliveries: Deliveries, delay: string): void {
	say();
	for (const { what, expected, found, missing, surplus, different } of tables) {
		say(
			`${what}: ${expected} in the service, ${found} in the table; ` +
				`${missing.length} missing, ${surplus.length} too many, ${different.length} different`,
		);
		list('missing', missing);
		list('too many', surplus);
		list('different', different);
	}
	const { executions, failed, items, twice } = deliveries;
	say(
		`${executions} executions delivered ${items} records, ${twice.length} of them more than once; ${failed.length} executions failed`,
	);
	list('more than once', twice);
	list('failed', failed);
	say(`complete ${delay} after the last burst`);
}

function list(what: string, keys: readonly string[]): void {
	for (const key of keys.slice(0, 5)) say(`  ${what}: ${key}`);
	if (keys.length > 5) say(`  ${what}: … and ${keys.length - 5} more`);
}
