/**
 * Runs each test of a file several times, by jest's own retries: without a mutant first, then with
 * each of those that it has reached, while all modules stay loaded.
 */
import { appendFileSync, readFileSync } from 'node:fs';

import { TestEnvironment } from 'jest-environment-node';

import { Rounds, type Run } from './rounds';
import { SWITCH } from './switches';
import { bitsOf, type Line, type Task } from './task';

interface Test {
	readonly name: string;
	readonly parent: { readonly name: string; readonly parent?: Test['parent'] };
	errors: unknown[];
	timeout?: number;
	mode?: string | null;
}

interface State {
	testTimeout: number;
}

type TestEvent = { readonly name: string; readonly test?: Test };

/** A mutant that runs for so many times as long as the test without it never ends. */
const TIMES_AS_LONG = 10;
const MIN_TIMEOUT_MS = 8_000;
const CONTROL_TIMEOUT_MS = 300_000;
const MIN_CALLS = 300_000;
const TIMES_AS_MANY_CALLS = 50;
const ENDLESS = 'A mutant that never ends';
/** As errors, it makes jest run the test once more. */
const AGAIN = ['once more'];

export default class MutationEnvironment extends TestEnvironment {
	private readonly task: Task;
	private readonly reached: Uint8Array;
	private readonly inTests: Uint8Array;
	private readonly outside: Uint8Array;
	/** Killed, or out of time. */
	private readonly finished = new Set<number>();
	private readonly tried: Record<number, number> = {};
	/** Tests that have failed without a mutant after they had passed: jest would try them for ever. */
	private readonly failedAgain = new Set<string>();
	private readonly spentMs = new Map<number, number>();
	private rounds: Rounds | undefined;
	private run: Run = 'control';
	private errors: unknown[] = [];
	private began = 0;
	private usualMs = 0;
	private usualCalls = 0;
	private isSpoilt = false;
	private nameOfLast = '';
	private on = -1;
	private calls = 0;
	private mostCalls = Number.POSITIVE_INFINITY;

	constructor(...given: ConstructorParameters<typeof TestEnvironment>) {
		super(...given);
		this.task = JSON.parse(readFileSync(process.env['MUTATION_TASK'] ?? '', 'utf8')) as Task;
		const { count } = this.task;
		this.reached = new Uint8Array(count);
		this.inTests = new Uint8Array(count);
		this.outside = new Uint8Array(count);
		const global = this.global as unknown as Record<string | symbol, unknown>;
		global[Symbol.for('RETRY_TIMES')] = 1_000_000_000;
		global[Symbol.for('RETRY_IMMEDIATELY')] = true;
		global[SWITCH] = (id: number): boolean => {
			this.reached[id] = 1;
			this.calls += 1;
			if (this.calls > this.mostCalls) throw new Error(ENDLESS);
			return id === this.on;
		};
	}

	private tell(line: Line): void {
		appendFileSync(this.task.log, `${JSON.stringify(line)}\n`);
	}

	/** Jest waits for it. */
	handleTestEvent({ name, test }: TestEvent, state: State): void {
		if (name === 'test_start' && test !== undefined) this.start(test, state);
		if (name === 'test_done' && test !== undefined) this.done(test);
		if (name === 'run_finish') this.end();
	}

	private start(test: Test, state: State): void {
		this.settle();
		this.nameOfLast = nameOf(test);
		const isOver = this.rounds === undefined && this.isAllTried();
		if (this.isSpoilt || isOver || this.failedAgain.has(this.nameOfLast)) test.mode = 'skip';
		if (test.mode === 'skip') return;
		if (this.rounds === undefined) {
			this.keep(this.outside);
			this.rounds = new Rounds(this.task.careful);
		}
		this.run = this.rounds.next();
		const isControl = this.run === 'control';
		const mostMs = isControl
			? CONTROL_TIMEOUT_MS
			: Math.max(MIN_TIMEOUT_MS, this.usualMs * TIMES_AS_LONG);
		state.testTimeout = mostMs;
		test.timeout = mostMs;
		if (this.run === 'control') {
			this.on = -1;
			this.tell({ at: 'control' });
		} else {
			const id = this.run.mutant;
			this.on = id;
			this.tell({ at: 'mutant', id, mostMs });
			this.tried[id] = (this.tried[id] ?? 0) + 1;
		}
		this.calls = 0;
		this.mostCalls = isControl
			? Number.POSITIVE_INFINITY
			: Math.max(MIN_CALLS, this.usualCalls * TIMES_AS_MANY_CALLS);
		this.began = Date.now();
	}

	private done(test: Test): void {
		const { rounds } = this;
		if (rounds === undefined) return;
		this.on = -1;
		this.mostCalls = Number.POSITIVE_INFINITY;
		this.errors = test.errors;
		const ms = Date.now() - this.began;
		if (this.run !== 'control') {
			const { mutant } = this.run;
			this.spentMs.set(mutant, (this.spentMs.get(mutant) ?? 0) + ms);
		}
		const isFirst = this.usualMs === 0;
		if (isFirst && test.errors.length === 0) {
			this.usualMs = Math.max(1, ms);
			this.usualCalls = this.calls;
			const once = this.task.once.includes(nameOf(test));
			if (!once) rounds.put(this.task.mutants.filter((id) => this.isToTry(id)));
		}
		this.keep(this.inTests);
		// What is found amiss only after this is added to the same list.
		const hasFailed = test.errors.length > 0;
		const goesOn =
			this.run === 'control' ? !hasFailed && !rounds.isOver : hasFailed || !rounds.isOver;
		if (goesOn) test.errors.push(AGAIN);
	}

	private isToTry(id: number): boolean {
		if (this.reached[id] !== 1 || this.finished.has(id)) return false;
		const isInTime = (this.spentMs.get(id) ?? 0) + this.usualMs <= this.task.mostMs;
		if (!isInTime) this.finished.add(id);
		return isInTime;
	}

	private isAllTried(): boolean {
		const { mutants } = this.task;
		return mutants.length > 0 && mutants.every((id) => this.finished.has(id));
	}

	private keep(where: Uint8Array): void {
		for (const [id, value] of this.reached.entries()) if (value !== 0) where[id] = 1;
		this.reached.fill(0);
	}

	/** What the last run has shown; jest has completed its errors by now. */
	private settle(): void {
		const { rounds, errors } = this;
		if (rounds === undefined) return;
		const name = this.nameOfLast;
		const real = errors.filter((error) => error !== AGAIN);
		const hasMore = errors.includes(AGAIN);
		this.errors = [];
		if (real.length === 0)
			for (const { id, inTime } of rounds.passed()) this.kill(id, inTime, name);
		else {
			const what = rounds.failed(!real.some(isTimeout));
			if (what === 'once') {
				this.failedAgain.add(name);
				this.tell({ at: 'once', test: name });
			}
			if (what === 'spoilt') this.spoil(rounds.suspects);
		}
		if (!hasMore) this.forget();
	}

	private kill(id: number, inTime: boolean, by: string): void {
		this.finished.add(id);
		this.tell({ at: 'killed', id, by, inTime });
	}

	private spoil(suspects: Rounds['suspects']): void {
		this.isSpoilt = true;
		this.tell({ at: 'spoilt', ...suspects });
		this.forget();
	}

	private forget(): void {
		this.rounds = undefined;
		this.usualMs = 0;
	}

	private end(): void {
		this.settle();
		this.keep(this.outside);
		if (this.isSpoilt) return;
		const [inTests, outside] = [bitsOf(this.inTests), bitsOf(this.outside)];
		this.tell({ at: 'end', inTests, outside, tried: this.tried });
	}
}

function nameOf({ name, parent }: Test): string {
	const names = [name];
	for (let one: Test['parent'] | undefined = parent; one !== undefined; one = one.parent)
		if (one.name !== 'ROOT_DESCRIBE_BLOCK') names.unshift(one.name);
	return names.join(' ');
}

const isTimeout = (error: unknown): boolean =>
	(Array.isArray(error) ? error : [error]).some((one) =>
		[ENDLESS, 'Exceeded timeout'].some((words) => String(one).includes(words)),
	);
