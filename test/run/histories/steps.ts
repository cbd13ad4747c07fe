/** What a user does: a history that fails is shortened to the steps that it takes. */
import * as fc from 'fast-check';

import { blank, faults, lastEffect } from './faults';
import type { Task, TaskSetup } from './history';
import { KINDS } from './kinds';
import { NOTES, PLANTS } from './people';
import type { How, Play } from './play';
import { NOTES_OF_SERVICE, SHAPES } from './scene';

interface Step {
	readonly words: string;
	readonly take: (play: Play) => Promise<void>;
}

/** A step in one of the tasks. */
const step = <T>(
	name: string,
	given: fc.Arbitrary<T>,
	take: (play: Play, task: Task, given: T) => Promise<void> | void,
): fc.Arbitrary<Step> =>
	fc.tuple(fc.nat({ max: 1 }), given).map(([at, how]) => ({
		words: `${name} ${at} ${JSON.stringify(how) ?? ''}`,
		take: async (play) => await take(play, play.tasks[at % play.tasks.length] as Task, how),
	}));

const how: fc.Arbitrary<How> = fc.record({
	tries: fc.integer({ min: 1, max: 3 }),
	onError: fc.constantFrom('stopWorkflow' as const, 'continueErrorOutput' as const),
	changed: fc.constantFrom(false, false, false, false, true),
	respelled: fc.boolean(),
	notes: fc.constantFrom(undefined, undefined, ...NOTES),
	faults,
});
const kill = fc.record({ at: fc.integer({ min: 1, max: 2 }), effect: lastEffect });
const sideBySide = fc.record({ faults, isOneProcess: fc.boolean() });
const nothing = fc.constant(undefined);

const anyStep = fc.oneof(
	step('start', how, async (play, task, given) => await play.start(task, given)),
	step('retry', how, async (play, task, given) => await play.retry(task, given)),
	step('kill', kill, async (play, task, given) => await play.kill(task, given)),
	step('two at once', sideBySide, async (play, task, given) => await play.twoAtOnce(task, given)),
	step('somebody plants', fc.constantFrom(...PLANTS), async (play, task, where) => {
		await play.plant(task, where);
	}),
	step('somebody writes into the notes', fc.constantFrom(...NOTES), (play, task, where) =>
		play.writeNotes(task, where),
	),
	step(
		'same key in another account',
		fc.constantFrom('shown' as const, 'lost before' as const, 'lost after' as const),
		async (play, task, answer) => await play.elsewhere(task, answer),
	),
	step('run again in a new process, with blank lists', blank, async (play, task, given) => {
		await play.runAgainInNewProcess(task, given);
	}),
	step('execution numbers start over', nothing, (play) => play.beginNumbers()),
	step('dry run', nothing, async (play, task) => await play.dryRun(task)),
	step('somebody edits', nothing, (play, task) => play.personEdits(task)),
	step('seconds pass', fc.integer({ min: 1, max: 70 }), async (play, _, seconds) => {
		await play.pass(seconds * 1_000);
	}),
);
export const steps = fc.array(anyStep, { maxLength: 5 });

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
		unique: (wantsUnique || kind.isAlwaysUnique === true) && kind.canBeUnique,
	}));

export const setups = fc.oneof(
	{ weight: 3, arbitrary: fc.tuple(setup) },
	{ weight: 1, arbitrary: fc.tuple(setup, setup) },
);
export const shapes = fc.constantFrom(...SHAPES);
export const notes = fc.oneof(
	{ weight: 3, arbitrary: fc.constant('whole' as const) },
	{ weight: 1, arbitrary: fc.constantFrom(...NOTES_OF_SERVICE) },
);
export const describeSetups = (given: readonly TaskSetup[]): string =>
	given
		.map(({ kind, unique, rows, maxWaitSeconds }) =>
			JSON.stringify([kind.name, { unique, rows, maxWaitSeconds }]),
		)
		.join(', ');
