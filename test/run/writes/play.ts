/** Plays one history: the user's steps, each with its faults, and the verdict at the end. */
import { newVersion, type JsonObject, type LoggedRequest } from '../../../fake-service/index';
import type { NodeRun } from '../../support/engine';
import type { CountName, Counts } from './counts';
import { NO_FAULTS, type Faults } from './faults';
import { Task, windowOf, type Row, type TaskSetup } from './history';
import { concerns, markerOf, wasDone } from './kinds';
import type { RunSetup, Scene } from './scene';
import { judge, judgeRequests, reusedKeys, shown, timesDone, type Claim } from './truth';

export interface How extends Pick<RunSetup, 'tries' | 'onError'> {
	readonly faults: Faults;
	readonly changed: boolean;
	readonly respelled: boolean;
	/** Where somebody writes into the notes between two tries. */
	readonly notes?: (typeof NOTES)[number];
}

/** Where somebody has written the key of a row, or what of it they have copied. */
export const PLANTS = ['by the node', 'within a line', 'the text, without notes'] as const;

/** Where somebody writes something into the notes of posts that carry a key. */
export const NOTES = ['above', 'before, on the same line', 'below'] as const;

/** How long after its arrival a request was handled. */
const lateBy = ({ fault, lateMs = 0 }: LoggedRequest): number => (fault === 'late' ? lateMs : 0);

/** Handled after the time in which `createOnce` expects it. */
const isTooLate = (request: LoggedRequest, { setup }: Task): boolean =>
	setup.unique && !setup.kind.recognised && lateBy(request) > windowOf(setup);

/** Whether its rows are posts that are found by their key. */
const isPost = ({ setup: { kind } }: Task): boolean =>
	kind.name === 'post' || kind.name === 'post of a row';

const WRITTEN = {
	above: ['Seen by Ada\n', ''],
	'before, on the same line': ['Seen by Ada. ', ''],
	below: ['', '\nSeen by Ada'],
} as const;

const PLAIN: How = {
	...{ tries: 1, onError: 'stopWorkflow', faults: NO_FAULTS },
	...{ changed: false, respelled: false },
};
/** Longer than any request takes that is handled late, and than any wait of the node. */
const ALL_IS_OVER_MS = 130_000;

/** Of an item that an earlier try or execution has carried out. */
const SAYS_OTHERWISE = /parameters have changed since/;

let histories = 0;

export class Play {
	readonly tasks: readonly Task[];
	readonly counts: Counts = {};
	/** In words, what should not have happened. */
	readonly wrong: string[] = [];
	private readonly claims: Claim[] = [];
	private readonly lineages: Array<{ task: Task; requests: LoggedRequest[] }> = [];

	constructor(
		private readonly scene: Scene,
		setups: readonly TaskSetup[],
	) {
		histories += 1;
		scene.clear();
		this.tasks = setups.map(
			(setup, place) => new Task(setup, scene, { name: `h${histories}t${place}`, place }),
		);
		this.count('histories');
	}

	/** The workflow is started anew. */
	async start(task: Task, how: How): Promise<void> {
		this.beginAnew(task);
		await this.execute(task, { how });
	}

	/** "Retry execution" of the last one that failed. */
	async retry(task: Task, how: How): Promise<void> {
		if (task.failed === undefined) return;
		await this.execute(task, { how, retryOf: task.failed });
	}

	/** Somebody else's post gets the key of a row into its notes, or has the same text. */
	async plant(task: Task, where: (typeof PLANTS)[number]): Promise<void> {
		const { scene } = this;
		const { world } = scene.service;
		if (!isPost(task)) return;
		for (const row of task.rows) {
			const marker = markerOf(row);
			const text = `${row.mark} text`;
			if (where !== 'by the node') {
				const notes = where === 'within a line' ? `See ${marker} there` : null;
				const { id } = world.addPost(world.own, { text, notes });
				(where === 'within a line' ? row.planted : row.foreign).add(id);
				continue;
			}
			scene.play();
			const parameters = {
				...{ resource: 'post', operation: 'create', text: 'Foreign' },
				additionalFields: { notes: `A comment:\n${marker}` },
			};
			await scene.run({ parameters, items: [{ json: {} }], ...PLAIN });
		}
	}

	writeNotes(task: Task, where: (typeof NOTES)[number]): void {
		const { world } = this.scene.service;
		for (const { mark } of task.rows)
			for (const { id, notes, text } of world.own.posts.toArray()) {
				if (!text.startsWith(`${mark} `) || typeof notes !== 'string') continue;
				const [before, after] = WRITTEN[where];
				world.patchPost(world.own, id, { notes: `${before}${notes}${after}` });
			}
	}

	/** The same rows with the same keys, for the account of the agency, in the same process. */
	async elsewhere(task: Task, answer: 'shown' | 'lost before' | 'lost after'): Promise<void> {
		const { scene } = this;
		const { world } = scene.service;
		const { setup, items, rows } = task;
		if (!isPost(task) || !setup.unique) return;
		const isShown = answer === 'shown';
		scene.play(
			isShown
				? NO_FAULTS
				: { ...NO_FAULTS, writes: [{ kind: 'reset', after: answer === 'lost after' }] },
		);
		const from = scene.service.requests.length;
		const parameters = task.parameters();
		const run = await scene.run({ parameters, items, ...PLAIN, apiKey: world.keys.agency });
		this.work(scene.service.requests.slice(from));
		for (const row of rows) {
			const times = world.agency.posts
				.toArray()
				.filter(({ text }) => text.startsWith(`${row.mark} `)).length;
			const mustBeThere = isShown && row.isElsewhere !== 'unknown';
			if (times > 1 || (mustBeThere && (times === 0 || run.error !== undefined)))
				this.find(
					task,
					'with the same key in another account: not created there, or twice',
					`${times} times: ${run.error?.message ?? 'without an error'}`,
				);
			if (!isShown) row.isElsewhere = 'unknown';
		}
	}

	/** n8n is set up anew: its executions are numbered from 1 again. */
	beginNumbers(): void {
		this.scene.beginNumbers();
		for (const task of this.tasks) task.failed = undefined;
	}

	/** Somebody changes the post at the network, so that what was reviewed is not the latest. */
	personEdits(task: Task): void {
		const { world } = this.scene.service;
		for (const row of task.rows) {
			const post = world.own.posts.get(row.postId);
			if (post?.status !== 'published') continue;
			newVersion(world, post, 'By somebody else');
			row.isEditedSince = row.isUnknown;
		}
	}

	/** The process dies while a write is on its way, and the execution with it. */
	async kill(task: Task, kill: NonNullable<RunSetup['kill']>): Promise<void> {
		const { scene } = this;
		this.beginAnew(task);
		scene.play();
		const { items } = task;
		const from = scene.service.requests.length;
		await scene.run({ parameters: task.parameters(), items, ...PLAIN, kill });
		scene.beginProcess();
		const sent = scene.service.requests.slice(from);
		this.count('kills');
		this.work(sent);
		for (const row of task.rows) row.before = 'kill';
		// What has not arrived yet is known to nobody any more.
		for (const { rows } of this.tasks)
			for (const row of rows)
				if (this.isOnItsWay(row))
					row.excuse ??= 'with a unique key: there twice, late after a kill';
		task.failed = undefined;
	}

	/** Two executions side by side, in one process or in two. */
	async twoAtOnce(task: Task, { faults, isOneProcess }: { faults: Faults; isOneProcess: boolean }) {
		const { scene } = this;
		this.beginAnew(task);
		scene.play(faults);
		const from = scene.service.requests.length;
		const setup = { parameters: task.parameters(), items: task.items, ...PLAIN };
		const first = scene.run(setup);
		if (!isOneProcess) scene.beginProcess();
		const runs = await Promise.all([first, scene.run(setup)]);
		const sent = scene.service.requests.slice(from);
		if (!isOneProcess)
			for (const row of task.rows) row.excuse ??= 'with a unique key: there twice, two processes';
		task.lineage = { requests: [] };
		for (const row of task.rows) this.excuseLate(task, row, sent);
		this.work(sent, 2);
		for (const run of runs) this.note(task, run, { sent, isAlone: false });
		task.failed = undefined;
	}

	async dryRun(task: Task): Promise<void> {
		const { scene } = this;
		scene.play();
		const from = scene.service.requests.length;
		const parameters = task.parameters({ dryRun: true });
		const retryOf = task.failed;
		await scene.run({ parameters, items: task.items, ...PLAIN, retryOf });
		const sent = scene.service.requests.slice(from);
		this.work(sent);
		if (sent.some(({ method }) => method !== 'GET'))
			this.find(task, 'sent by a dry run', shown(sent));
	}

	async pass(ms: number): Promise<void> {
		await this.scene.time.pass(ms);
	}

	/** When nothing is on its way any more, and the user has run the workflow once more. */
	async end(): Promise<void> {
		const { scene } = this;
		scene.play();
		await this.pass(ALL_IS_OVER_MS);
		for (const task of this.tasks) if (task.setup.unique) await this.settle(task);
		for (const { task, requests, words } of this.claims)
			if (requests.some((request) => wasDone(request) && !isTooLate(request, task)))
				this.find(task, 'reported as failed for certain, but carried out', words);
		for (const task of this.tasks) this.judgeRows(task);
		for (const key of reusedKeys(scene.service.requests.filter(({ headers }) => headers)))
			this.find(this.tasks[0] as Task, 'an idempotency key sent with another input', key);
	}

	private async settle(task: Task): Promise<void> {
		this.beginAnew(task);
		const { outputs, error } = await this.execute(task, {
			how: { ...PLAIN, faults: { ...NO_FAULTS, blank: task.blank } },
			// Another content is another matter.
			returning: true,
		});
		const ended = error === undefined ? (outputs[0] ?? []).length : 0;
		const isMissing = (row: Row) => this.applied(task, row) === 0 && row.planted.size === 0;
		if (ended !== task.rows.length || task.rows.some(isMissing))
			this.find(
				task,
				'with a unique key: not there after one more run',
				error?.message ?? 'not all rows are there',
			);
		for (const row of task.rows) {
			const differing = task.setup.kind.differsFromRow?.(this.scene.service, row);
			if (differing !== undefined && row.excuse === undefined)
				this.find(task, 'after one more run, with other content than the row', differing);
		}
	}

	private judgeRows(task: Task): void {
		const { setup } = task;
		for (const lineage of this.lineages) {
			if (lineage.task !== task || setup.kind.harmlessTwice) continue;
			for (const row of task.rows)
				if (row.excuse === undefined && timesDone(task, row, lineage.requests) > 1)
					this.find(
						task,
						'carried out more than once within one execution and its retries',
						shown(lineage.requests),
					);
		}
		if (!setup.kind.canBeUnique) return;
		for (const row of task.rows) {
			const times = this.applied(task, row);
			if (times <= 1) continue;
			if (!setup.unique)
				this.count(`without a key: there twice, run again after a ${this.causeOf(row.again)}`);
			else if (row.excuse !== undefined) this.count(row.excuse);
			else
				this.find(
					task,
					'with a unique key: there twice, but for what no client can prevent',
					`${times} times: ${shown(this.writesOf(row))}`,
				);
		}
	}

	private readonly causeOf = (again: readonly string[]) =>
		again.includes('success') ? 'success' : again.includes('failure') ? 'failure' : 'kill';

	private async execute(
		task: Task,
		{
			how: { faults, changed, respelled, notes, ...how },
			returning = false,
			retryOf,
		}: Pick<RunSetup, 'retryOf'> & { how: How; returning?: boolean },
	): Promise<NodeRun> {
		const { scene } = this;
		const { requests } = scene.service;
		const from = requests.length;
		const [first] = task.rows;
		const before = task.rows.map((row) => ({
			times: this.applied(task, row),
			isPending: this.pendingReason(row) !== undefined,
		}));
		task.blank = faults.blank ?? task.blank;
		scene.play(faults, first?.postId);
		const parameters = task.parameters({ changed, respelled, returning });
		const betweenTries = () => {
			if (notes !== undefined) this.writeNotes(task, notes);
		};
		const run = await scene.run({ parameters, items: task.items, ...how, retryOf, betweenTries });
		const sent = requests.slice(from);
		this.work(sent);
		task.lineage.requests.push(...sent);
		for (const row of task.rows) this.excuseLate(task, row, sent);
		if (!task.setup.kind.doneByRequest) {
			const wasLate = requests.some(({ fault }) => fault === 'late');
			const used = faults.network.slice(0, faults.network.length - scene.networkLeft());
			task.rows.forEach((row, index) => {
				const { times = 0, isPending = false } = before[index] ?? {};
				const isDone = this.applied(task, row) > times;
				// What was under way before is not this execution's.
				const isUnderWay = this.pendingReason(row) === 'mutation_in_progress';
				const isTaken = !isPending && (isDone || isUnderWay);
				if (isTaken && !wasLate) row.taken = true;
				const wasShown = sent.every(({ fault }) => fault === null || fault === 'delay');
				const isRefreshed = index === 0 && used[0]?.reason === 'provider_state_refreshed';
				if (isTaken && !wasLate && ((wasShown && isRefreshed) || row.isEditedSince === true))
					this.find(task, 'a newer version that a person had to review written over', shown(sent));
			});
		}
		this.note(task, run, { sent, isAlone: true });
		this.judgeContent(task, run, { changed });
		task.failed = run.error === undefined ? undefined : run;
		return run;
	}

	/** What is put out as created has the content that the item has now, unless the run says otherwise. */
	private judgeContent(
		task: Task,
		{ outputs, error, runData }: NodeRun,
		how: Pick<How, 'changed'>,
	) {
		const { name, contentOf } = task.setup.kind;
		if (contentOf === undefined || error !== undefined) return;
		const hints = Object.values(runData).flatMap((of) => of.flatMap((ran) => ran.hints ?? []));
		if (hints.some(({ message }) => SAYS_OTHERWISE.test(message))) return;
		for (const { json } of outputs[0] ?? []) {
			const wrong = contentOf(json as JsonObject, how);
			if (json.already_existed !== true && wrong !== undefined)
				this.find(
					task,
					'success reported, but with other content than the item has now',
					`${name}: ${wrong}`,
				);
		}
	}

	private pendingReason({ postId }: Task['rows'][number]): string | undefined {
		return this.scene.service.world.own.posts.get(postId)?.hidden.pending?.reason;
	}

	private note(
		task: Task,
		run: NodeRun,
		{ sent, isAlone }: { sent: readonly LoggedRequest[]; isAlone: boolean },
	): void {
		const { service } = this.scene;
		const { lineage } = task;
		const { findings, claims, succeeded, unknown } = judge(service, {
			task,
			run,
			lineage,
			isAlone,
		});
		this.claims.push(...claims);
		const more = isAlone ? judgeRequests(task, sent) : [];
		for (const { name, what } of [...findings, ...more]) this.find(task, name, what);
		for (const row of task.rows) {
			row.isUnknown = unknown.has(row);
			if (row.before !== 'kill' || succeeded.has(row))
				row.before = succeeded.has(row) ? 'success' : 'failure';
		}
	}

	private beginAnew(task: Task): void {
		task.failed = undefined;
		task.lineage = { requests: [] };
		this.lineages.push({ task, requests: task.lineage.requests });
		for (const row of task.rows) {
			row.taken = false;
			row.isEditedSince = false;
		}
		for (const row of task.rows) if (row.before !== undefined) row.again.push(row.before);
	}

	private excuseLate(task: Task, row: Task['rows'][number], sent: readonly LoggedRequest[]): void {
		const wasTooLate = sent.some((request) => concerns(request, row) && isTooLate(request, task));
		if (wasTooLate) row.excuse ??= 'with a unique key: there twice, late beyond the window';
	}

	private isOnItsWay(row: Task['rows'][number]): boolean {
		return this.writesOf(row).some(({ fault, handled }) => fault === 'late' && handled === null);
	}

	private writesOf(row: Task['rows'][number]): LoggedRequest[] {
		return this.scene.service.requests.filter((request) => concerns(request, row));
	}

	private applied(task: Task, row: Task['rows'][number]): number {
		return task.setup.kind.applied(this.scene.service, row);
	}

	private work(sent: readonly LoggedRequest[], executions = 1): void {
		this.count('executions', executions);
		this.count('requests', sent.length);
		this.count('writes', sent.filter(({ method }) => method !== 'GET').length);
		this.count('faults', sent.filter(({ fault }) => fault !== null && fault !== 'delay').length);
	}

	private find(task: Task, name: CountName, what: string): void {
		this.count(name);
		this.wrong.push(`${nameOf(task)}: ${name}: ${what}`);
	}

	private count(name: CountName, by = 1): void {
		this.counts[name] = (this.counts[name] ?? 0) + by;
	}
}

const nameOf = ({ setup: { kind, unique } }: Task): string =>
	unique ? `${kind.name}, unique` : kind.name;
