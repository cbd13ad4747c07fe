/** What a diagnosis has to go by: the answers that came, and ways to look at them. */
import type { Exchange } from '../../../api/client';
import type { EndpointName } from '../../../api/endpoints';
import type { FailureFacts } from '../../../api/failure';
import { readList, readSuccess, type JsonRecord, type ListEnvelope } from '../../../api/schemas';
import type { Written } from './trying';

/** Why a request was sent that no ordinary reading sends. */
export type Purpose = 'byDefault' | 'overlap' | 'tooMany' | 'behind' | 'withEmail' | 'bySource';

export interface Asked extends Exchange {
	/** The client it was asked for; undefined for the own account. */
	readonly clientId?: string;
	readonly purpose?: Purpose;
	readonly query?: JsonRecord;
	/** In ms, by the clock of n8n. */
	readonly at: number;
}

export interface Connection {
	readonly isEncrypted: boolean;
	/** The service's word, if the key begins with it. */
	readonly keyWord?: string;
	/** The network's word: what leads have shown, or what the credential says. */
	readonly networkWord?: string;
}

/** The record kinds that come in lists. */
export type ListName =
	'client.getAll' | 'post.getAll' | 'leadMagnet.getAll' | 'lead.getAll' | 'activity.getAll';

export class Evidence {
	constructor(
		readonly asked: readonly Asked[],
		readonly connection: Connection,
		/** What came of the writes, if they were tried. */
		readonly written?: Written,
	) {}

	get requests(): number {
		return this.asked.reduce((sum, { attempts }) => sum + attempts.length, 0);
	}

	/** The ordinary readings of an endpoint, for any account. */
	of(name: EndpointName): Asked[] {
		return this.asked.filter((one) => one.name === name && one.purpose === undefined);
	}

	/** The reading with this purpose, if the service has taken or refused it. */
	with(purpose: Purpose): Asked[] {
		// What could not be sent, or may go well the next time, says nothing.
		return this.asked.filter(
			(one) => one.purpose === purpose && !isHeldBack(one) && one.failure?.retryable !== true,
		);
	}

	/** The clients of the agency that were looked at. */
	get clientIds(): string[] {
		return [...new Set(this.asked.flatMap(({ clientId }) => clientId ?? []))];
	}

	listed(list: ListName): JsonRecord[] {
		return this.of(list).flatMap(listOf);
	}

	/** The records of a kind that were read one by one. */
	ones(list: ListName): JsonRecord[] {
		const single = list.replace('.getAll', '.get');
		return this.asked.filter(({ name }) => name === single).flatMap(recordOf);
	}

	/** Every record of a kind that was read, from lists and one by one. */
	records(list: ListName): JsonRecord[] {
		const lists = this.asked.filter(({ name }) => name === list);
		return [...lists.flatMap(listOf), ...this.ones(list)];
	}
}

export const pageOf = ({ body }: Exchange): ListEnvelope | undefined => readList(body);
export const listOf = (exchange: Exchange): JsonRecord[] => pageOf(exchange)?.data ?? [];
export const recordOf = ({ body }: Exchange): JsonRecord[] =>
	[readSuccess(body)?.data ?? []].flat();

export const isAnswered = ({ attempts, failure }: Exchange): boolean =>
	failure === undefined && attempts.length > 0;

/** Not sent, because enough had been sent before it. */
export const isHeldBack = ({ attempts, failure }: Exchange): boolean =>
	failure === undefined && attempts.length === 0;

/** How a request failed, without what the service said. */
export const inShort = ({ kind, status, code, reason }: FailureFacts): string =>
	[status === undefined ? kind : `HTTP ${status}`, reason ?? code]
		.filter((part) => part !== undefined && part !== '')
		.join(' ');

/** A list in words, cut where it gets long. */
export function inWords(values: Iterable<string>, most = 12): string {
	const all = [...new Set(values)];
	const shown = all.slice(0, most).join(', ');
	return all.length > most ? `${shown} and ${all.length - most} more` : shown;
}

export const count = (number: number, what: string): string =>
	`${number} ${what}${number === 1 ? '' : 's'}`;

/** A name that a person may see in a report: what looks like no name of a field is left out. */
export const fieldName = (name: string): string =>
	/^[A-Za-z_][\w-]{0,39}$/.test(name) && !/\d{4}/.test(name) ? name : '(a name not shown)';
