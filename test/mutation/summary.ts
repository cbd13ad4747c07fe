/** What was found: by folder, and each mutant that lives. Pure. */
import type { Candidate } from './candidates';
import type { Verdict } from './tryAll';

export interface Tried {
	readonly candidate: Candidate;
	readonly verdict: Verdict;
}

/** Of those that were tried and are not accepted, in percent. */
const BARS = { all: 92, strict: 95 };
/** Where an undetected fault loses leads, or publishes twice. */
const STRICT =
	/\/watch\/|\/run\/writeOnce\/|\/api\/(retry|nextAttempt|outcome)|\/post\/published\//;

interface Score {
	readonly name: string;
	readonly killed: number;
	readonly of: number;
}

export interface Survivor {
	readonly file: string;
	readonly line: number;
	readonly kind: string;
	readonly how: string;
	readonly text: string;
}

export interface Summary {
	readonly folders: readonly Score[];
	readonly all: Score;
	readonly strict: Score;
	/** By time alone. */
	readonly late: number;
	readonly accepted: number;
	/** Reached only while the code is loaded, and not in the sample of those. */
	readonly untried: number;
	readonly alive: readonly Survivor[];
	readonly bars: typeof BARS;
	readonly isEnough: boolean;
}

const folderOf = (file: string): string =>
	file.replace('nodes/LeadGenPublishing/', '').split('/').slice(0, -1).slice(0, 2).join('/') ||
	'node files';

const isKilled = ({ verdict }: Tried): boolean => verdict.kind === 'killed';

const scoreOf = (name: string, of: readonly Tried[]): Score => ({
	name,
	killed: of.filter(isKilled).length,
	of: of.length,
});

/** Of those tried, in percent. */
export const percentOf = ({ killed, of }: Score): string =>
	of === 0 ? '–' : ((100 * killed) / of).toFixed(1);

const reaches = ({ killed, of }: Score, bar: number): boolean => 100 * killed >= bar * of;

export function summaryOf(tried: readonly Tried[], textOf: (file: string) => string): Summary {
	const counted = tried.filter(
		({ verdict: { kind } }) => kind !== 'accepted' && kind !== 'untried',
	);
	const count = (kind: Verdict['kind']): number =>
		tried.filter(({ verdict }) => verdict.kind === kind).length;
	const names = [...new Set(counted.map(({ candidate }) => folderOf(candidate.file)))].sort();
	const all = scoreOf('all', counted);
	const strict = scoreOf(
		'where leads or posts are at stake',
		counted.filter(({ candidate }) => STRICT.test(`/${candidate.file}`)),
	);
	return {
		all,
		strict,
		folders: names.map((name) =>
			scoreOf(
				name,
				counted.filter(({ candidate }) => folderOf(candidate.file) === name),
			),
		),
		late: counted.filter(({ verdict }) => verdict.kind === 'killed' && !verdict.inTime).length,
		accepted: count('accepted'),
		untried: count('untried'),
		alive: counted
			.filter((one) => !isKilled(one))
			.map(({ candidate: { file, line, kind }, verdict }) => ({
				...{ file, line, kind },
				how: verdict.kind === 'survived' ? `survived ${verdict.tests} tests` : 'never reached',
				text: textOf(file).split('\n')[line - 1]?.trim() ?? '',
			})),
		bars: BARS,
		isEnough: reaches(all, BARS.all) && reaches(strict, BARS.strict),
	};
}
