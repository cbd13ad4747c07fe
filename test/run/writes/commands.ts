/** What a user does, as commands of fast-check: a history that fails is shortened to what it takes. */
import * as fc from 'fast-check';

import { faults, lastEffect } from './faults';
import type { Task, TaskSetup } from './history';
import { KINDS } from './kinds';
import { PLANTS, type How, type Play } from './play';

/** What the user sees: which executions n8n offers to retry follows from the play itself. */
interface Seen {
	readonly tasks: number;
	/** Tasks whose workflow has run. */
	readonly ran: Set<number>;
}

type Step = fc.AsyncCommand<Seen, Play>;

/** One command for one of the tasks. */
const step = (
	name: string,
	{
		at,
		canRun = () => true,
		run,
	}: {
		at: number;
		canRun?: (seen: Seen, task: number) => boolean;
		run: (play: Play, task: Task) => Promise<void> | void;
	},
): Step => ({
	check: (seen) => canRun(seen, at % seen.tasks),
	run: async (seen, play) => {
		const task = play.tasks[at % seen.tasks] as Task;
		seen.ran.add(at % seen.tasks);
		await run(play, task);
	},
	toString: () => name,
});

const hasRun = ({ ran }: Seen, task: number): boolean => ran.has(task);
const task = fc.nat({ max: 1 });
const how: fc.Arbitrary<How> = fc.record({
	tries: fc.integer({ min: 1, max: 3 }),
	onError: fc.constantFrom('stopWorkflow' as const, 'continueErrorOutput' as const),
	changed: fc.oneof(
		{ weight: 4, arbitrary: fc.constant(false) },
		{ weight: 1, arbitrary: fc.constant(true) },
	),
	respelled: fc.boolean(),
	faults,
});
const shown = (value: unknown): string => JSON.stringify(value);

const STEPS: ReadonlyArray<fc.Arbitrary<Step>> = [
	fc.tuple(task, how).map(([at, how]) =>
		step(`start ${at} ${shown(how)}`, {
			at,
			run: async (play, task) => await play.start(task, how),
		}),
	),
	fc.tuple(task, how).map(([at, how]) =>
		step(`retry ${at} ${shown(how)}`, {
			at,
			canRun: hasRun,
			run: async (play, task) =>
				task.failed === undefined ? undefined : await play.retry(task, how),
		}),
	),
	fc
		.tuple(task, fc.record({ at: fc.integer({ min: 1, max: 2 }), effect: lastEffect }))
		.map(([at, kill]) =>
			step(`kill ${at} ${shown(kill)}`, {
				at,
				run: async (play, task) => await play.kill(task, kill),
			}),
		),
	fc.tuple(task, fc.record({ faults, isOneProcess: fc.boolean() })).map(([at, setup]) =>
		step(`two at once ${at} ${shown(setup)}`, {
			at,
			run: async (play, task) => await play.twoAtOnce(task, setup),
		}),
	),
	fc.tuple(task, fc.constantFrom(...PLANTS)).map(([at, where]) =>
		step(`somebody plants ${at} ${where}`, {
			at,
			run: async (play, task) => await play.plant(task, where),
		}),
	),
	fc.constant(
		step('execution numbers begin anew', {
			at: 0,
			canRun: ({ ran }) => ran.size > 0,
			run: (play) => play.beginNumbers(),
		}),
	),
	task.map((at) =>
		step(`dry run ${at}`, { at, run: async (play, task) => await play.dryRun(task) }),
	),
	task.map((at) =>
		step(`somebody edits ${at}`, {
			at,
			canRun: hasRun,
			run: (play, task) => play.personEdits(task),
		}),
	),
	fc.integer({ min: 1, max: 70 }).map((seconds) =>
		step(`${seconds} s pass`, {
			at: 0,
			canRun: ({ ran }) => ran.size > 0,
			run: async (play) => await play.pass(seconds * 1_000),
		}),
	),
];

const setup: fc.Arbitrary<TaskSetup> = fc
	.record({
		kind: fc.constantFrom(...KINDS.filter(({ canBeUnique }) => canBeUnique), ...KINDS),
		wantsUnique: fc.boolean(),
		rows: fc.constantFrom(1, 1, 2),
		maxWaitSeconds: fc.constantFrom(0, 5, 20, undefined),
	})
	.map(({ wantsUnique, kind, ...more }) => ({
		...more,
		kind,
		unique: wantsUnique && kind.canBeUnique,
	}));

export const setups = fc.oneof(
	{ weight: 3, arbitrary: fc.tuple(setup) },
	{ weight: 1, arbitrary: fc.tuple(setup, setup) },
);
export const steps = fc.commands([...STEPS], { maxCommands: 5, disableReplayLog: true });
export const describeSetups = (given: readonly TaskSetup[]): string =>
	given
		.map(({ kind, unique, rows, maxWaitSeconds }) =>
			shown([kind.name, { unique, rows, maxWaitSeconds }]),
		)
		.join(', ');
