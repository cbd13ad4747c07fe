/** What must not have happened, of a run and at the end of a history. */
import type { JsonObject, LoggedRequest } from '../../../fake-service/index';
import type { NodeRun } from '../../support/engine';
import type { Findings } from './findings';
import type { Row, Task } from './history';
import { wasDone } from './kinds';
import { appliedTimes, isPost, isTooLate, pendingReason, writesOf } from './rows';
import type { Scene } from './scene';
import { reusedKeys, shown, timesDone, type Claim } from './truth';

export interface Verdict {
	readonly scene: Scene;
	/** Whether the service changes, hides or cuts the notes in which posts have their keys. */
	readonly losesKeys: boolean;
	readonly findings: Findings;
}

/** The requests of one execution and of what retries it. */
export interface Attempts {
	readonly task: Task;
	readonly requests: readonly LoggedRequest[];
}

/** Of an item that an earlier try or execution has carried out. */
const SAYS_OTHERWISE = /parameters have changed since/;

/** What is put out as created has the content that the item has now, unless the run says otherwise. */
export function judgeContent(
	{ findings }: Verdict,
	task: Task,
	{ run: { outputs, error, runData }, changed }: { run: NodeRun; changed: boolean },
): void {
	const { name, contentOf } = task.setup.kind;
	if (contentOf === undefined || error !== undefined) return;
	const hints = Object.values(runData).flatMap((of) => of.flatMap((ran) => ran.hints ?? []));
	if (hints.some(({ message }) => SAYS_OTHERWISE.test(message))) return;
	for (const { json } of outputs[0] ?? []) {
		const wrong = contentOf(json as JsonObject, { changed });
		if (json.already_existed !== true && wrong !== undefined)
			findings.add(
				task,
				'success reported, but with other content than the item has now',
				`${name}: ${wrong}`,
			);
	}
}

/** How a row stood before a run. */
export interface RowBefore {
	readonly times: number;
	readonly isPending: boolean;
}

export const rowsBefore = (scene: Scene, task: Task): RowBefore[] =>
	task.rows.map((row) => ({
		times: appliedTimes(scene, task, row),
		isPending: pendingReason(scene, row) !== undefined,
	}));

/** Of changes that the network carries out: whether it has taken them up, and over what version. */
export function judgeTaken(
	{ scene, findings }: Verdict,
	task: Task,
	{
		before,
		sent,
		firstOutcome,
	}: {
		before: readonly RowBefore[];
		sent: readonly LoggedRequest[];
		/** What the network made of the first change. */
		firstOutcome: () => string | undefined;
	},
): void {
	if (task.setup.kind.doneByRequest) return;
	const outcome = firstOutcome();
	const wasLate = scene.service.requests.some(({ fault }) => fault === 'late');
	const wasShown = sent.every(({ fault }) => fault === null || fault === 'delay');
	task.rows.forEach((row, index) => {
		const { times = 0, isPending = false } = before[index] ?? {};
		const isDone = appliedTimes(scene, task, row) > times;
		// What was under way before is not this execution's.
		const isUnderWay = pendingReason(scene, row) === 'mutation_in_progress';
		const isTaken = !isPending && (isDone || isUnderWay);
		if (!isTaken || wasLate) return;
		row.taken = true;
		const isRefreshed = index === 0 && outcome === 'provider_state_refreshed';
		if ((wasShown && isRefreshed) || row.isEditedSince === true)
			findings.add(task, 'a newer version that a person had to review written over', shown(sent));
	});
}

export function judgeClaims({ findings }: Verdict, claims: readonly Claim[]): void {
	for (const { task, requests, words } of claims)
		if (requests.some((request) => wasDone(request) && !isTooLate(request, task)))
			findings.add(task, 'reported as failed for certain, but carried out', words);
}

export function judgeKeys({ scene, findings }: Verdict, task: Task): void {
	for (const key of reusedKeys(scene.service.requests.filter(({ headers }) => headers)))
		findings.add(task, 'an idempotency key sent with another input', key);
}

/** Whether all is there after the user has run the workflow once more. */
export function judgeLastRun(
	{ scene, findings }: Verdict,
	task: Task,
	{ outputs, error }: NodeRun,
): void {
	const ended = error === undefined ? (outputs[0] ?? []).length : 0;
	const isMissing = (row: Row) => appliedTimes(scene, task, row) === 0 && row.planted.size === 0;
	if (ended !== task.rows.length || task.rows.some(isMissing))
		findings.add(
			task,
			'with a unique key: not there after one more run',
			error?.message ?? 'not all rows are there',
		);
	for (const row of task.rows) {
		const differing = task.setup.kind.differsFromRow?.(scene.service, row);
		if (differing !== undefined && row.excuse === undefined)
			findings.add(task, 'after one more run, with other content than the row', differing);
	}
}

export function judgeRows(verdict: Verdict, task: Task, attempts: readonly Attempts[]): void {
	const { findings } = verdict;
	const { setup, rows } = task;
	const isExcused = (row: Row) => row.excuse !== undefined || hasLostItsKey(verdict, task, row);
	for (const { task: of, requests } of attempts) {
		if (of !== task || setup.kind.harmlessTwice) continue;
		for (const row of rows)
			if (!isExcused(row) && timesDone(task, row, requests) > 1)
				findings.add(
					task,
					'carried out more than once within one execution and its retries',
					shown(requests),
				);
	}
	if (setup.kind.canBeUnique) for (const row of rows) judgeTimes(verdict, task, row);
}

function judgeTimes(verdict: Verdict, task: Task, row: Row): void {
	const { scene, findings } = verdict;
	const times = appliedTimes(scene, task, row);
	if (times <= 1) return;
	if (!task.setup.unique)
		findings.count(`without a key: there twice, run again after a ${causeOf(row.again)}`);
	else if (row.excuse !== undefined) findings.count(row.excuse);
	else if (hasLostItsKey(verdict, task, row))
		findings.count('with a unique key: there twice, the service does not keep keys');
	else
		findings.add(
			task,
			'with a unique key: there twice, but for what no client can prevent',
			`${times} times: ${shown(writesOf(scene, row))}`,
		);
}

const hasLostItsKey = ({ scene, losesKeys }: Verdict, task: Task, row: Row): boolean =>
	losesKeys && task.setup.unique && isPost(task) && isOnceInEachProcess(scene, row);

/**
 * As the page says: one post can be left over in each process, beside those of which no response told
 * anything.
 */
function isOnceInEachProcess(scene: Scene, row: Row): boolean {
	const answered = writesOf(scene, row).filter(
		({ method, handled, fault }) =>
			method === 'POST' && handled !== null && handled < 300 && (fault ?? 'delay') === 'delay',
	);
	const processes = answered.map((request) => scene.processAt(request));
	return new Set(processes).size === processes.length;
}

const causeOf = (again: readonly string[]) =>
	again.includes('success') ? 'success' : again.includes('failure') ? 'failure' : 'kill';
