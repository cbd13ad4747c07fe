/** Plays one history: the user's steps, each with its faults, and the verdict at the end. */
import type { LoggedRequest } from '../../../fake-service/index';
import type { NodeRun } from '../../support/engine';
import { NO_FAULTS, type Blank, type Faults } from './faults';
import { Findings } from './findings';
import { Task, type TaskSetup } from './history';
import {
	editPosts,
	plantPosts,
	runElsewhere,
	writeIntoNotes,
	type NotePlace,
	type Plant,
} from './people';
import { excuseLate, isOnItsWay, isPost } from './rows';
import { ONE_TRY, type NotesOfService, type RunSetup, type Scene, type Shapes } from './scene';
import { judge, judgeRequests, shown, type Claim } from './truth';
import {
	judgeClaims,
	judgeContent,
	judgeKeys,
	judgeLastRun,
	judgeRows,
	judgeTaken,
	rowsBefore,
	type Attempts,
	type Verdict,
} from './verdict';

export interface How extends Pick<RunSetup, 'tries' | 'onError'> {
	readonly faults: Faults;
	readonly changed: boolean;
	readonly respelled: boolean;
	/** Where somebody writes into the notes between two tries. */
	readonly notes?: NotePlace;
}

export const PLAIN: How = { ...ONE_TRY, faults: NO_FAULTS, changed: false, respelled: false };

/** Longer than any request takes that is handled late, and than any wait of the node. */
const ALL_IS_OVER_MS = 130_000;

let histories = 0;
/** Always of the same length, so that a seed gives the same history wherever lists cut a text. */
const nameOf = (place: number): string => `h${String(histories).padStart(6, '0')}t${place}`;

export class Play {
	readonly tasks: readonly Task[];
	readonly findings = new Findings();
	private readonly claims: Claim[] = [];
	private readonly attempts: Attempts[] = [];
	private readonly verdict: Verdict;

	constructor(
		private readonly scene: Scene,
		setups: readonly TaskSetup[],
		{ shapes = 'documented', notes = 'whole' }: { shapes?: Shapes; notes?: NotesOfService } = {},
	) {
		histories += 1;
		scene.clear(shapes, notes);
		const losesKeys = !['whole', 'escaped'].includes(notes);
		this.verdict = { scene, findings: this.findings, losesKeys };
		this.tasks = setups.map(
			(setup, place) => new Task(setup, scene, { name: nameOf(place), place }),
		);
		this.findings.count('histories');
		if (losesKeys) this.findings.count('histories in which the service does not keep keys');
		if (shapes === 'likely') this.findings.count('histories in the likely shapes');
	}

	/** The workflow is started again. */
	async start(task: Task, how: How): Promise<void> {
		this.beginAnew(task);
		await this.execute(task, { how });
	}

	/** "Retry execution" of the last one that failed. */
	async retry(task: Task, how: How): Promise<void> {
		if (task.failed === undefined) return;
		await this.execute(task, { how, retryOf: task.failed });
	}

	/** Carried out, and run again by a process that remembers nothing, with lists that are blank. */
	async runAgainInNewProcess(task: Task, blank: Blank): Promise<void> {
		this.findings.count('runs in a new process, with blank lists');
		await this.start(task, PLAIN);
		this.scene.beginProcess();
		this.excuseOnTheirWay();
		await this.start(task, { ...PLAIN, faults: { ...NO_FAULTS, blank } });
	}

	async plant(task: Task, where: Plant): Promise<void> {
		await plantPosts(this.scene, task, where);
	}

	writeNotes(task: Task, where: NotePlace): void {
		writeIntoNotes(this.scene, task, where);
	}

	async elsewhere(task: Task, answer: 'shown' | 'lost before' | 'lost after'): Promise<void> {
		await runElsewhere(this.verdict, task, answer);
	}

	/** n8n is set up again, in a new process: its executions are numbered from 1 again. */
	beginNumbers(): void {
		this.scene.beginNumbers();
		this.excuseOnTheirWay();
		for (const task of this.tasks) task.failed = undefined;
	}

	personEdits(task: Task): void {
		editPosts(this.scene, task);
	}

	/** The process dies while a write is on its way, and the execution with it. */
	async kill(task: Task, kill: NonNullable<RunSetup['kill']>): Promise<void> {
		const { scene } = this;
		this.beginAnew(task);
		scene.play();
		const { items } = task;
		const from = scene.service.requests.length;
		await scene.run({ parameters: task.parameters(), items, ...ONE_TRY, kill });
		scene.beginProcess();
		const sent = scene.service.requests.slice(from);
		this.findings.count('kills');
		this.findings.countWork(sent);
		for (const row of task.rows) row.before = 'kill';
		this.excuseOnTheirWay();
		task.failed = undefined;
	}

	/** What has not arrived yet when a process ends is known to nobody any more. */
	private excuseOnTheirWay(): void {
		for (const { rows } of this.tasks)
			for (const row of rows)
				if (isOnItsWay(this.scene, row))
					row.excuse ??= 'with a unique key: there twice, late after a kill';
	}

	/** Two executions side by side, in one process or in two. */
	async twoAtOnce(task: Task, { faults, isOneProcess }: { faults: Faults; isOneProcess: boolean }) {
		const { scene } = this;
		this.beginAnew(task);
		scene.play(faults);
		const from = scene.service.requests.length;
		const setup = { parameters: task.parameters(), items: task.items, ...ONE_TRY };
		const first = scene.run(setup);
		if (!isOneProcess) scene.beginProcess();
		const runs = await Promise.all([first, scene.run(setup)]);
		const sent = scene.service.requests.slice(from);
		if (!isOneProcess)
			for (const row of task.rows) row.excuse ??= 'with a unique key: there twice, two processes';
		task.lineage = { requests: [] };
		excuseLate(task, sent);
		this.findings.countWork(sent, 2);
		for (const run of runs) this.note(task, run, { sent, isAlone: false });
		task.failed = undefined;
	}

	async dryRun(task: Task): Promise<void> {
		const { scene } = this;
		scene.play();
		const from = scene.service.requests.length;
		const parameters = task.parameters({ dryRun: true });
		const retryOf = task.failed;
		await scene.run({ parameters, items: task.items, ...ONE_TRY, retryOf });
		const sent = scene.service.requests.slice(from);
		this.findings.countWork(sent);
		if (sent.some(({ method }) => method !== 'GET'))
			this.findings.add(task, 'sent by a dry run', shown(sent));
	}

	async pass(ms: number): Promise<void> {
		await this.scene.time.pass(ms);
	}

	/** When nothing is on its way any more, and the user has run the workflow once more. */
	async end(): Promise<void> {
		this.scene.play();
		await this.pass(ALL_IS_OVER_MS);
		for (const task of this.tasks) if (task.setup.unique) await this.runOnceMore(task);
		judgeClaims(this.verdict, this.claims);
		for (const task of this.tasks) judgeRows(this.verdict, task, this.attempts);
		judgeKeys(this.verdict, this.tasks[0] as Task);
	}

	private async runOnceMore(task: Task): Promise<void> {
		this.beginAnew(task);
		const run = await this.execute(task, {
			how: { ...PLAIN, faults: { ...NO_FAULTS, blank: task.blank } },
			// Another content is another matter.
			returning: true,
		});
		// A row whose key would be lost is not created.
		if (!this.verdict.losesKeys || !isPost(task)) judgeLastRun(this.verdict, task, run);
	}

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
		const before = rowsBefore(scene, task);
		task.blank = faults.blank ?? task.blank;
		scene.play(faults, task.rows[0]?.postId);
		const parameters = task.parameters({ changed, respelled, returning });
		const betweenTries = () => {
			if (notes !== undefined) this.writeNotes(task, notes);
		};
		const run = await scene.run({ parameters, items: task.items, ...how, retryOf, betweenTries });
		const sent = requests.slice(from);
		this.findings.countWork(sent);
		task.lineage.requests.push(...sent);
		excuseLate(task, sent);
		const firstOutcome = () =>
			faults.network.slice(0, faults.network.length - scene.networkLeft())[0]?.reason;
		judgeTaken(this.verdict, task, { before, sent, firstOutcome });
		this.note(task, run, { sent, isAlone: true });
		judgeContent(this.verdict, task, { run, changed });
		task.failed = run.error === undefined ? undefined : run;
		return run;
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
		for (const { name, what } of [...findings, ...more]) this.findings.add(task, name, what);
		for (const row of task.rows) {
			row.isUnknown = unknown.has(row);
			if (row.before !== 'kill' || succeeded.has(row))
				row.before = succeeded.has(row) ? 'success' : 'failure';
		}
	}

	private beginAnew(task: Task): void {
		task.failed = undefined;
		task.lineage = { requests: [] };
		this.attempts.push({ task, requests: task.lineage.requests });
		for (const row of task.rows) {
			row.taken = false;
			row.isEditedSince = false;
		}
		for (const row of task.rows) if (row.before !== undefined) row.again.push(row.before);
	}
}
