/** Compares what the node says with what the service knows. */
import type { FakeService, JsonObject, LoggedRequest } from '../../../fake-service/index';
import type { NodeRun } from '../../support/engine';
import type { CountName } from './counts';
import type { Lineage, Row, Task } from './history';
import { concerns, wasDone } from './kinds';

export interface Finding {
	readonly name: CountName;
	readonly what: string;
}

/** "It was not done": requests that are still on their way can prove it wrong later. */
export interface Claim {
	readonly task: Task;
	readonly requests: readonly LoggedRequest[];
	readonly words: string;
}

export interface Judgement {
	readonly findings: readonly Finding[];
	readonly claims: readonly Claim[];
	readonly succeeded: ReadonlySet<Row>;
	/** Rows of which the node has said that it does not know. */
	readonly unknown: ReadonlySet<Row>;
}

interface Failure {
	readonly item: number;
	readonly words: string;
	readonly isUnknown: boolean;
}

/** Statuses with which the service has finally refused. */
const REFUSALS = new Set([400, 403, 404, 409, 422]);
/** How the node says that it does not know what became of a write. */
const UNKNOWN = /not known whether|cannot tell whether|may have (succeeded|been updated)/i;
/** Says that the change was carried out, although its result could not be read. */
const DONE_BEFORE = /has carried out the change|was (?:created|updated), but the service/;

export function judge(
	service: FakeService,
	{ task, run, lineage, isAlone }: { task: Task; run: NodeRun; lineage: Lineage; isAlone: boolean },
): Judgement {
	const { kind } = task.setup;
	const findings: Finding[] = [];
	const claims: Claim[] = [];
	const succeeded = new Set<Row>();
	const unknown = new Set<Row>();
	for (const { pairedItem, json } of run.outputs[0] ?? []) {
		const row = task.rows[itemOf(pairedItem)];
		if (row === undefined || run.error !== undefined) continue;
		succeeded.add(row);
		// A kept result was true when it was put out first.
		if (!kind.isThere(service, row, json as JsonObject))
			findings.push({
				name:
					json.already_existed === true
						? 'reported as existing, but another one'
						: 'success reported, but not carried out',
				what: JSON.stringify(json),
			});
	}
	for (const { item, words, isUnknown } of failuresOf(run)) {
		const row = task.rows[item];
		if (row === undefined) continue;
		if (isUnknown) unknown.add(row);
		else if (!DONE_BEFORE.test(words) && isAlone) {
			const all = lineage.requests.filter((request) => concerns(request, row));
			const requests = kind.updates === true ? all.slice(-1) : all;
			// A file that nobody has learned of changes nothing.
			if (kind.name === 'media') continue;
			claims.push({ task, requests, words });
			if (row.taken === true)
				findings.push({ name: 'reported as failed for certain, but carried out', what: words });
		}
	}
	return { findings, claims, succeeded, unknown };
}

const itemOf = (paired: unknown): number =>
	typeof paired === 'object' && paired !== null && 'item' in paired ? Number(paired.item) : 0;

function failuresOf({ outputs, error }: NodeRun): Failure[] {
	if (error !== undefined) {
		const {
			context = {},
			message,
			description,
		} = error as typeof error & {
			context?: { itemIndex?: number };
			description?: string | null;
		};
		const words = [message, description].filter(Boolean).join(' ');
		return [{ item: context.itemIndex ?? 0, words, isUnknown: UNKNOWN.test(unquoted(words)) }];
	}
	return (outputs[1] ?? []).map(({ pairedItem, json }) => ({
		item: itemOf(pairedItem),
		words: String(json.message),
		isUnknown:
			(json.details as JsonObject | undefined)?.outcome === 'unknown' ||
			UNKNOWN.test(unquoted(String(json.message))),
	}));
}

/** What is quoted are the words of others. */
const unquoted = (words: string): string => words.replace(/"[^"]*"/g, '""');

/** What the requests of one execution show, for each of its rows. */
export function judgeRequests(task: Task, sent: readonly LoggedRequest[]): Finding[] {
	return task.rows.flatMap((row) => {
		const writes = sent.filter((request) => concerns(request, row));
		const refused = writes.findIndex(
			({ fault, status }) => fault === 'error' && REFUSALS.has(status ?? 0),
		);
		return refused >= 0 && refused < writes.length - 1
			? [{ name: 'a final refusal sent again in the same execution' as const, what: shown(writes) }]
			: [];
	});
}

/** Requests of one execution and its retries that were carried out, repetitions not counted. */
export function timesDone(task: Task, row: Row, requests: readonly LoggedRequest[]): number {
	const done = requests.filter((request) => concerns(request, row) && wasDone(request));
	if (!task.setup.kind.recognised) return done.length;
	return new Set(done.map(({ headers }) => headers['idempotency-key'] ?? '')).size;
}

/** Keys that were sent with another input, leaving out the users' own. */
export function reusedKeys(requests: readonly LoggedRequest[]): string[] {
	const inputs = new Map<string, Set<string>>();
	for (const { headers, method, path, body } of requests) {
		const key = headers['idempotency-key'];
		if (key === undefined) continue;
		const of = inputs.get(key) ?? new Set();
		inputs.set(key, of.add(`${method} ${path} ${body}`));
	}
	return [...inputs].filter(([, of]) => of.size > 1).map(([key]) => key);
}

export const shown = (requests: readonly LoggedRequest[]): string =>
	requests
		.map(({ method, path, status, handled, fault }) =>
			[method, path, `status ${status}`, `handled ${handled}`, fault].join(' '),
		)
		.join('; ');
