/** Plays a world with one seed and one mode, and judges it. */
import { noCounts, type Counts } from './ledger';
import { Play } from './play';
import { MODES, type Mode } from './playedN8n';
import type { TriggerClass } from './playedNode';
import { Chance } from '../random';
import { VirtualTime } from './virtualTime';
import { failedForOneCause, failedTooOften, reportedAsHeld } from './reported';
import { USUAL_BOUNDS, type Bounds, type World } from './world';

export interface Played {
	readonly world: string;
	readonly mode: Mode;
	readonly seed: number;
	readonly counts: Counts;
	readonly minutesLate: readonly number[];
	readonly idle: readonly number[];
	readonly requests: number;
	readonly polls: number;
	/** Messages of errors, and how often each came. */
	readonly errors: ReadonlyArray<readonly [message: string, times: number]>;
	/** Executions that failed, for the cause with the most. */
	readonly failedForOneCause: number;
	/** Records that the reports have said to be held back. */
	readonly heldBack: number;
	readonly charsPerRecord: number;
	readonly stateExcess: number;
	readonly tookMs: number;
	/** The promises that were broken. */
	readonly broken: readonly string[];
	readonly notes: readonly string[];
}

export function offers(trigger: TriggerClass, needs: readonly string[]): boolean {
	const text = JSON.stringify(new trigger().description.properties);
	return needs.every((name) => text.includes(`"${name}"`));
}

export const modesOf = ({ modes = ['L'] }: World): readonly Mode[] =>
	MODES.filter((mode) => modes.includes(mode));

export async function playWorld(
	world: World,
	trigger: TriggerClass,
	{ seed, mode }: { seed: number; mode: Mode },
): Promise<Played> {
	const began = process.hrtime.bigint();
	const time = new VirtualTime();
	const { random } = Math;
	const chance = new Chance(seed * 104729 + 1);
	Math.random = () => chance.next();
	time.install();
	const play = new Play(world, trigger, { seed, mode, time });
	let failed: string | undefined;
	try {
		await world.story(play);
	} catch (error) {
		failed = `the story came to no end: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
	} finally {
		time.uninstall();
		Math.random = random;
	}
	play.close();
	const tookMs = Number((process.hrtime.bigint() - began) / 1_000_000n);
	return { ...judged(play, { seed, mode }), tookMs, ...(failed ? { broken: [failed] } : {}) };
}

function judged(play: Play, { seed, mode }: { seed: number; mode: Mode }): Omit<Played, 'tookMs'> {
	const { world, ledger, said } = play;
	const { counts } = ledger;
	const { requests, polls } = play.requestsMetered;
	const size = play.stateSize();
	const heldBack = reportedAsHeld(said);
	const errors = new Map<string, number>();
	for (const { message } of said) errors.set(message, (errors.get(message) ?? 0) + 1);
	const measured: Record<keyof Bounds, number> = {
		...pickBounded(counts),
		idleRequests: Math.max(0, ...play.idle),
		meanIdleRequests: mean(play.idle),
		requests,
		meanRequests: requests / Math.max(1, polls),
		failedTooOften: failedTooOften(said),
		heldSilently: heldBack > 0 ? 0 : play.heldBackLongAgo(),
		permanentErrors: said.filter(({ isPermanent }) => isPermanent).length,
		stateExcess: size.excess,
	};
	const bounds: Bounds = { ...USUAL_BOUNDS, ...world.bounds };
	const broken = (Object.keys(bounds) as Array<keyof Bounds>)
		.filter((name) => measured[name] > bounds[name])
		.map((name) => `${name} is ${round(measured[name])}, not ${bounds[name]} at most`);
	return {
		world: world.name,
		mode,
		seed,
		counts,
		minutesLate: ledger.minutesLate,
		idle: play.idle,
		requests,
		polls,
		errors: [...errors],
		failedForOneCause: failedForOneCause(said),
		heldBack,
		charsPerRecord: size.perRecord,
		stateExcess: size.excess,
		broken: [
			...broken,
			...play.broken,
			...wrongErrors(
				world,
				said.map(({ message }) => message),
			),
		],
		notes: ledger.notes,
	};
}

function pickBounded(
	counts: Counts,
): Omit<Counts, 'due' | 'delivered' | 'changesDue' | 'changesDelivered'> {
	const {
		due: _,
		delivered: __,
		changesDue: ___,
		changesDelivered: ____,
		...bounded
	} = {
		...noCounts(),
		...counts,
	};
	return bounded;
}

function wrongErrors({ errors = [] }: World, messages: readonly string[]): string[] {
	const unexpected = messages.filter((message) => !errors.some(({ says }) => says.test(message)));
	const wrong = [...new Set(unexpected)].map(
		(message) => `an error that nobody expects: ${message}`,
	);
	for (const { says, atLeast = 0, atMost = Infinity } of errors) {
		const times = messages.filter((message) => says.test(message)).length;
		if (times < atLeast) wrong.push(`${says} is said ${times} times, not at least ${atLeast}`);
		if (times > atMost) wrong.push(`${says} is said ${times} times, not at most ${atMost}`);
	}
	return wrong;
}

export const mean = (numbers: readonly number[]): number =>
	numbers.length === 0 ? 0 : numbers.reduce((sum, one) => sum + one, 0) / numbers.length;

export const round = (value: number): number => Math.round(value * 100) / 100;
