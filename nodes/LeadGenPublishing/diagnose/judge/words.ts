/**
 * Puts findings into words. A report goes to strangers, so it shows nothing that a person may have
 * written: only the document's own codes and reasons, words for a state, field names and numbers.
 * Pure.
 */
import { endpoint, type EndpointName } from '../../api/endpoints';
import { KNOWN_REASONS } from '../../api/policy';
import type { Problem } from '../../api/problems';
import { KNOWN_CODES } from '../../words/codeWords';
import { PROBLEM_WORDS } from '../../words/problemWords';
import { isRecord } from '../../api/schemas';
import { DOCUMENTED_WORDS } from '../../api/wire';
import type { Asked, Left, ListName, RequestOutcome } from '../facts';

export const count = (number: number, what: string): string =>
	`${number} ${what}${number === 1 ? '' : 's'}`;

/** A list in words, each value once, shortened if it is long. */
export function inWords(values: Iterable<string>, most = 12): string {
	const all = [...new Set(values)];
	const shown = all.slice(0, most).join(', ');
	return all.length > most ? `${shown} and ${all.length - most} more` : shown;
}

export const leftInWords = ({ what, name, isCertain }: Left): string =>
	isCertain ? `${what} ${name}` : `perhaps a ${what} marked ${name}`;

/** "posts, leads and activity". */
export function andOf(values: readonly string[]): string {
	const all = [...new Set(values)];
	const last = all.at(-1) ?? '';
	return all.length < 2 ? last : `${all.slice(0, -1).join(', ')} and ${last}`;
}

/** The route as the document writes it. */
export const routeInWords = (name: EndpointName): string =>
	`${endpoint(name).method} ${endpoint(name).path === '' ? 'the base' : endpoint(name).path}`;

const NAMES: Readonly<Record<ListName, string>> = {
	'client.getAll': 'clients',
	'post.getAll': 'posts',
	'leadMagnet.getAll': 'lead magnets',
	'lead.getAll': 'leads',
	'activity.getAll': 'activity',
};
export const listName = (list: ListName): string => NAMES[list];
export const EVERY_LIST = Object.keys(NAMES) as ListName[];

const SHOWN = new Set<string>([...KNOWN_CODES, ...KNOWN_REASONS]);

/** Only the document's own codes and reasons are shown, because any other may contain anything. */
const shownCode = (given: string | undefined): string | undefined => {
	if (given === undefined || given === '') return undefined;
	if (SHOWN.has(given)) return given;
	const neutral = given.replace(/^[a-z0-9]+_/, `${DOCUMENTED_WORDS.network}_`);
	return SHOWN.has(neutral) ? neutral : 'with a code that is not in the document';
};

/** What came instead of a response, in our own words only. */
export const problemIn = ({ problem }: { readonly problem?: Problem }): string =>
	problem === undefined ? 'no response' : PROBLEM_WORDS[problem];

/** How a request ended, without the service's own message. */
export function inShort(outcome: RequestOutcome): string {
	switch (outcome.kind) {
		case 'success':
			return 'responded';
		case 'refused': {
			const said = shownCode(outcome.reason) ?? shownCode(outcome.code);
			const form = outcome.hasEnvelope ? '' : ', without the documented envelope';
			return `HTTP ${outcome.status}${said === undefined ? '' : ` ${said}`}${form}`;
		}
		case 'unreadable':
			return `HTTP ${outcome.status} with ${problemIn(outcome)}`;
		case 'redirected':
			return `HTTP ${outcome.status}, a redirect`;
		case 'noResponse':
			return problemIn(outcome);
		case 'unsent':
			return 'not sent';
	}
}

/** The service's own message, for the items only. */
export const saysOf = (asked: readonly Asked[]): string | undefined =>
	asked
		.flatMap(({ outcome }) => (outcome.kind === 'refused' ? (outcome.message ?? []) : []))
		.find((message) => message.trim() !== '');

/**
 * A service may use data as field names, such as an object keyed by keyword or by person. So only
 * what looks like a field name is shown. If the names look like data, they are only counted.
 */
const FIELD_NAME = /^[a-z_][A-Za-z0-9_]{0,39}$/;

export function fieldNames(
	objects: readonly unknown[],
	isData: (name: string) => boolean = () => false,
): string[] {
	const records = objects.filter(isRecord);
	const all = [...new Set(records.flatMap(Object.keys))];
	const isShared = (name: string): boolean =>
		records.length < 2 || records.filter((record) => name in record).length * 2 >= records.length;
	const areData =
		all.length > 0 &&
		(all.some((name) => !FIELD_NAME.test(name) || /\d{3}/.test(name) || isData(name)) ||
			all.length > 40 ||
			(records.length > 1 && !all.some(isShared)) ||
			isByData(records));
	return areData ? [`(${count(all.length, 'key')})`] : all;
}

/**
 * All values are objects with the same fields: a table by something, such as figures by keyword.
 */
const isByData = (records: ReadonlyArray<Record<string, unknown>>): boolean =>
	records.some((record) => {
		const values = Object.values(record);
		if (values.length < 2 || !values.every(isRecord)) return false;
		const [first = '', ...others] = values.map((value) => Object.keys(value).sort().join());
		return others.every((names) => names === first);
	});

/**
 * Lower-case words count as the service's own. Other values are only shown if they name a state.
 */
const STATE_WORDS = new Set(
	(
		'active inactive paused suspended blocked disabled enabled pending approved accepted rejected ' +
		'declined expired revoked canceled cancelled closed open draft scheduled published publishing ' +
		'queued failed archived deleted qualified unqualified disqualified unknown new matched unmatched ' +
		'ignored replied sent processing processed comment message reaction post image video document ' +
		'pdf none true false'
	).split(' '),
);
const OWN_WORD = /^[a-z]+(?:[_-][a-z]+)*$/;

const isShownValue = (value: string): boolean =>
	value.length <= 30 && (OWN_WORD.test(value) || STATE_WORDS.has(value.toLowerCase()));

export const shownValue = (value: unknown): string =>
	typeof value === 'string'
		? isShownValue(value)
			? value
			: '(a value not shown)'
		: typeof value === 'number' || typeof value === 'boolean'
			? `a ${typeof value}`
			: value === null
				? 'null'
				: 'an object or a list';
