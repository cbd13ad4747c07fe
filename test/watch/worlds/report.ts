/** The table of all worlds that were played: one row for each. */
import { mean, round, type Played } from './playWorld';

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

function median(numbers: readonly number[]): number {
	const sorted = numbers.toSorted((one, other) => one - other);
	return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

const maxOf = (numbers: readonly number[]): number =>
	numbers.reduce((most, one) => Math.max(most, one), 0);

const HEADS = [
	'world',
	'plays',
	'due',
	'delivered',
	'missed',
	'twice',
	'falsely new',
	'old as new',
	'held back',
	'backwards',
	'changes due',
	'delivered',
	'too late',
	'late max',
	'median',
	'idle max',
	'mean',
	'requests',
	'errors',
	'for one cause',
	'B/record',
	'ms',
	'',
];

function rowOf(world: string, plays: readonly Played[]): string[] {
	const total = (name: keyof Played['counts']): string =>
		String(sum(plays.map(({ counts }) => counts[name])));
	const late = plays.flatMap(({ minutesLate }) => minutesLate);
	const idle = plays.flatMap((one) => one.idle);
	const bad = plays.filter(({ broken }) => broken.length > 0).length;
	return [
		world,
		String(plays.length),
		total('due'),
		total('delivered'),
		total('missed'),
		total('twice'),
		total('falselyNew'),
		total('oldAsNew'),
		String(sum(plays.map(({ heldBack }) => heldBack))),
		total('backwards'),
		total('changesDue'),
		total('changesDelivered'),
		total('late'),
		String(round(maxOf(late))),
		String(round(median(late))),
		idle.length === 0 ? '' : String(maxOf(idle)),
		idle.length === 0 ? '' : String(round(mean(idle))),
		String(sum(plays.map(({ requests }) => requests))),
		String(sum(plays.flatMap(({ errors }) => errors.map(([, times]) => times)))),
		String(maxOf(plays.map(({ failedForOneCause }) => failedForOneCause))),
		String(round(mean(plays.map(({ charsPerRecord }) => charsPerRecord)))),
		String(sum(plays.map(({ tookMs }) => tookMs))),
		bad === 0 ? 'holds' : `FAILS ${bad} of ${plays.length}`,
	];
}

/** A table in Markdown; each world's row stands where it was first played. */
export function tableOf(played: readonly Played[], notOffered: readonly string[]): string {
	const worlds = [...new Set(played.map(({ world }) => world))];
	const rows = worlds.map((name) =>
		rowOf(
			name,
			played.filter(({ world }) => world === name),
		),
	);
	for (const world of notOffered)
		rows.push([world, ...HEADS.slice(2).map(() => ''), 'not offered']);
	const lines = [HEADS, HEADS.map((_, at) => (at === 0 ? '---' : '--:')), ...rows];
	return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** The broken promises, with their seeds. */
export function failureOf({ world, mode, seed, broken, notes, errors }: Played): string {
	const said = errors.map(([message, times]) => `  said ${times} times: ${message.slice(0, 400)}`);
	return [
		`FAILS ${world}, mode ${mode}, seed ${seed}: ${broken.join('; ')}`,
		...notes.slice(0, 6).map((note) => `  ${note}`),
		...said.slice(0, 5),
	].join('\n');
}
