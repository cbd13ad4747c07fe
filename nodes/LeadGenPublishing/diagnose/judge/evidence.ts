/** Gives each row of the judge step access to all facts. Pure. */
import { endpoint, type EndpointName } from '../../api/endpoints';
import type { JsonRecord } from '../../api/schemas';
import type { Asked, ConnectionFacts, Facts, ListName, Purpose, Trial } from '../facts';
import { idIn, pageOf, recordOf, recordsOf } from '../records';
import { readSubject, type Subject } from './subject';

const PROBES = [
	...(['second', 'following', 'farBehind'] as const),
	...(['withEmail', 'withoutEmail', 'bySource'] as const),
];

export class Evidence {
	private known: ReadonlySet<string> | undefined;

	constructor(private readonly facts: Facts) {}

	get asked(): readonly Asked[] {
		return this.facts.asked;
	}

	get requests(): number {
		return this.facts.requests;
	}

	get connection(): ConnectionFacts {
		return this.facts.connection;
	}

	get trial(): Trial | undefined {
		return this.facts.trial;
	}

	get writesWanted(): boolean {
		return this.facts.writesWanted;
	}

	/** The ordinary reads of an endpoint, for any account, in the order in which they were sent. */
	of(name: EndpointName): Asked[] {
		return this.with('reading').filter((one) => one.name === name);
	}

	/** The read for the own account, or else for the first client. */
	first(name: EndpointName): Asked | undefined {
		const all = this.of(name);
		return all.find((one) => one.clientId === undefined) ?? all[0];
	}

	with(...purposes: readonly Purpose[]): Asked[] {
		return this.asked.filter(({ purpose }) => purposes.includes(purpose));
	}

	/** The probe of this list with this purpose, if there was one. */
	probe(name: ListName, purpose: Purpose): Asked | undefined {
		return this.with(purpose).find((one) => one.name === name);
	}

	/**
	 * The ordinary read that the probes of this list started from. Another account, read later, may
	 * have more records.
	 */
	probed(name: ListName): Asked | undefined {
		const probe = this.with(...PROBES).find((one) => one.name === name);
		const [longest] = this.of(name)
			.filter((one) => probe === undefined || one.clientId === probe.clientId)
			.filter((one) => pageOf(one) !== undefined)
			.sort((one, other) => recordsOf(other).length - recordsOf(one).length);
		return longest;
	}

	/** The clients whose data was requested. */
	get clientIds(): string[] {
		const asked = this.with('reading').filter(({ name }) => endpoint(name).agency);
		return [...new Set(asked.flatMap(({ clientId }) => clientId ?? []))];
	}

	listed(list: ListName): JsonRecord[] {
		return this.of(list).flatMap(recordsOf);
	}

	/** The records of a kind that were read one by one. */
	singles(list: ListName): JsonRecord[] {
		const single = list.replace('.getAll', '.get');
		return this.asked
			.filter(
				({ name, purpose }) => name === single && !['unknownRecord', 'tidying'].includes(purpose),
			)
			.map(recordOf)
			.filter((record) => record !== undefined);
	}

	/** Every record of a kind, from lists and one by one. */
	records(list: ListName): JsonRecord[] {
		return [...this.listed(list), ...this.singles(list)];
	}

	/**
	 * The time of the latest response, by the service's clock if it shows one. Another row compares
	 * the clocks.
	 */
	get now(): number {
		return Math.max(...this.asked.map(serviceTimeOf));
	}

	/** Whether two requests show the same record under two IDs. */
	hasMovingIds(list: ListName): boolean {
		const first = this.probed(list);
		const second = this.probe(list, 'second');
		if (first === undefined || second === undefined) return false;
		const contents = new Set(recordsOf(first).map(contentOf));
		const ids = new Set(recordsOf(first).map((record) => idIn(record)));
		return recordsOf(second).some(
			(record) => contents.has(contentOf(record)) && !ids.has(idIn(record)),
		);
	}

	/** Whether a name of a field is really data: a keyword, or a part of somebody's name. */
	isData(name: string): boolean {
		this.known ??= new Set(this.personalTexts().flatMap(wordsIn));
		return wordsIn(name).some((word) => this.known?.has(word));
	}

	private personalTexts(): string[] {
		const fields: ReadonlyArray<readonly [ListName, readonly string[]]> = [
			['client.getAll', ['full_name', 'business_name']],
			['leadMagnet.getAll', ['keyword']],
			['lead.getAll', ['name', 'latest_keyword']],
			['activity.getAll', ['author_name', 'keyword']],
		];
		return fields.flatMap(([list, names]) =>
			this.records(list).flatMap((record) =>
				names.map((name) => record[name]).filter((text) => typeof text === 'string'),
			),
		);
	}

	get subject(): Subject {
		const subject = this.first('account.getSubject');
		return readSubject(subject === undefined ? undefined : recordOf(subject));
	}
}

/** A record without its ID, as text. */
const contentOf = (record: JsonRecord): string =>
	JSON.stringify(Object.entries(record).filter(([name]) => name !== 'id'));

export function serviceTimeOf({ at, attempts }: Asked): number {
	const { headers = {} } = attempts.at(-1) ?? {};
	const shown = headers.age === undefined ? Date.parse(String(headers.date)) : NaN;
	return Number.isNaN(shown) ? at : shown;
}

/** A text as a whole and its words, written as the name of a field might be. */
const wordsIn = (text: string): string[] => {
	const words = text.toLowerCase().split(/[^\p{L}\p{N}]+/u);
	return [words.join(''), ...words].filter((word) => word.length >= 3);
};

export const isAnswered = ({ outcome }: Asked): boolean => outcome.kind === 'success';

export const httpStatusOf = ({ outcome }: Asked): number =>
	'status' in outcome ? outcome.status : outcome.kind === 'success' ? 200 : 0;

/** Whether the service rejected the request in a way that will not pass on its own. */
export const isRefused = ({ outcome }: Asked, ...statuses: readonly number[]): boolean =>
	outcome.kind === 'refused' &&
	outcome.meaning === 'refused' &&
	(statuses.length === 0 || statuses.includes(outcome.status));

/** Whether the service asked to wait, or had asked before, so that the request was not sent. */
export const isAskedToWait = ({ outcome }: Asked): boolean =>
	(outcome.kind === 'refused' && outcome.meaning === 'throttled') ||
	(outcome.kind === 'unsent' && outcome.why === 'throttled');

/** Whether the service itself failed, with an error. */
export const isFailing = ({ outcome }: Asked): boolean =>
	outcome.kind === 'refused' &&
	(outcome.meaning === 'transient' || outcome.meaning === 'uncertain');
