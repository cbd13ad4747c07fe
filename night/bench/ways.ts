/**
 * How far it is from n8n to the request: how many of our files an item passes until then, and how
 * many of our functions wait on the stack. `npm run bench -- --house` prints it.
 */
import { Session } from 'node:inspector';

import type { JsonRecord } from '../../nodes/LeadGenPublishing/api/schemas';
import { aligned, say } from '../../scripts/n8n/progress';
import { idOf, scriptedRun } from '../../test/run/scriptedRun';
import { ok, pageOf, type Reply } from '../../test/support/replies';
import { playIdlePoll } from './idlePoll';

const OURS = /\/nodes\/LeadGenPublishing\/([^:?)]+\.[jt]s)/;

interface Way {
	readonly name: string;
	/** Of a run. Each run has a key of its own, because the process remembers keys. */
	readonly parameters: (key: string) => JsonRecord;
	/** The method of the request at which it is measured. */
	readonly method: 'GET' | 'POST' | 'PATCH';
	/** What the service holds. */
	readonly post?: (key: string) => JsonRecord;
}

const NEW_POST = { resource: 'post', operation: 'create', text: 'Hello', status: 'draft' };
const published = () => ({
	id: idOf(1),
	text: 'Old',
	status: 'published',
	published_mutation_capabilities: { can_edit: true, edit_etag: 'v1' },
});
const rowOf = (uniqueKey: string) => ({ ...NEW_POST, operation: 'upsert', uniqueKey });

const WAYS: readonly Way[] = [
	{ name: 'Post > Create', parameters: () => NEW_POST, method: 'POST' },
	{
		name: 'Post > Create with a unique key',
		parameters: (uniqueKey) => ({ ...NEW_POST, options: { uniqueKey } }),
		method: 'POST',
	},
	{ name: 'Post > Create or Update, a new post', parameters: rowOf, method: 'POST' },
	{
		name: 'Post > Create or Update, a post that differs',
		parameters: rowOf,
		method: 'PATCH',
		post: (key) => ({ id: idOf(1), text: 'Old', status: 'draft', notes: `[unique-key: ${key}]` }),
	},
	{
		name: 'Post > Update, published',
		parameters: () => ({
			...{ resource: 'post', operation: 'update', postId: idOf(1) },
			updateFields: { text: 'New' },
		}),
		method: 'PATCH',
		post: published,
	},
	{
		name: 'Lead > Get Many',
		parameters: () => ({ resource: 'lead', operation: 'getAll', returnAll: true }),
		method: 'GET',
	},
];

/** Our functions on the stack, waiting ones included. */
function framesNow(): number {
	const { stackTraceLimit } = Error;
	Error.stackTraceLimit = Infinity;
	const stack = String(new Error('here').stack).split('\n');
	Error.stackTraceLimit = stackTraceLimit;
	return stack.filter((line) => OURS.test(line)).length;
}

interface Covered {
	readonly result: ReadonlyArray<{
		readonly url: string;
		readonly functions: ReadonlyArray<{
			readonly ranges: ReadonlyArray<{ readonly startOffset: number; readonly count: number }>;
		}>;
	}>;
}

/** The inspector answers before `post` returns. */
function ask(session: Session, method: string, parameters: object = {}): unknown {
	let answer: unknown;
	session.post(method, parameters, (error: Error | null, result?: unknown) => {
		if (error !== null) throw error;
		answer = result;
	});
	return answer;
}

/** Our files of which a function has run since the last call. */
function filesPassed(session: Session): string[] {
	const { result } = ask(session, 'Profiler.takePreciseCoverage') as Covered;
	return result.flatMap(({ url, functions }) => {
		const file = OURS.exec(url)?.[1];
		// A function that begins with the file is the module itself.
		const ran = functions.some(
			({ ranges: [whole] }) => whole !== undefined && whole.startOffset > 0 && whole.count > 0,
		);
		return file !== undefined && ran ? [file] : [];
	});
}

let runs = 0;

async function measure(session: Session, { parameters, method, post: held }: Way) {
	const key = `row-${(runs += 1)}`;
	const post = held?.(key);
	let found: { readonly files: readonly string[]; readonly frames: number } | undefined;
	let kept = post;
	let sent: JsonRecord = {};
	const answer = ({ path, method: asked }: { path: string; method: string }): Reply => {
		// The service keeps what it gets, or the node would not send another post with a key.
		if (asked !== 'GET') kept = { ...post, ...sent, id: idOf(runs) };
		return asked === 'GET' && path.endsWith('s')
			? pageOf(post === undefined ? [] : [post])
			: ok(kept);
	};
	filesPassed(session);
	await scriptedRun({
		parameters: parameters(key),
		answer,
		onRequest: (http) => {
			sent = JSON.parse(String(http.body ?? '{}')) as JsonRecord;
			if (http.method !== method || found !== undefined) return;
			found = { files: filesPassed(session), frames: framesNow() };
		},
	});
	if (found === undefined) throw new Error('The request was not sent');
	return found;
}

/** A poll of the trigger that finds nothing new. */
async function measureIdlePoll(session: Session) {
	let found: { readonly files: readonly string[]; readonly frames: number } | undefined;
	await playIdlePoll({
		begin: () => void filesPassed(session),
		atRequest: () => {
			found ??= { files: filesPassed(session), frames: framesNow() };
		},
	});
	if (found === undefined) throw new Error('The request was not sent');
	return found;
}

export async function showWays(): Promise<void> {
	const session = new Session();
	session.connect();
	ask(session, 'Profiler.enable');
	ask(session, 'Profiler.startPreciseCoverage', { callCount: true, detailed: false });
	const rows = [['way to the request', 'files', 'frames']];
	for (const way of WAYS) {
		// The first run loads what is only loaded when it is needed.
		await measure(session, way);
		const { files, frames } = await measure(session, way);
		rows.push([way.name, `${files.length}`, `${frames}`]);
	}
	const { files, frames } = await measureIdlePoll(session);
	rows.push(['Trigger, an idle poll', `${files.length}`, `${frames}`]);
	session.disconnect();
	for (const line of aligned(rows)) say(line);
}
