/**
 * The vendor's words for one credential: those set in it, the one that its key begins with, and the
 * one shown by leads read with it. What leads show is kept in the memory of the process only.
 */
import { createHash } from 'crypto';

import { endpoint, type EndpointName } from './endpoints';
import { InputError, type FailureFacts } from './failure';
import type { JsonRecord } from './schemas';
import {
	DOCUMENTED_WORDS,
	hasProfileUrlOf,
	isWord,
	networkWordOf,
	serviceWordIn,
	wireNames,
	type WireNames,
} from './wire';

const MAX_CREDENTIALS = 1_000;

/** By a digest of base URL and key; the least recently used entry is dropped first. */
const learned = new Map<string, string>();

export class VendorWords {
	private constructor(
		private readonly service: string,
		private readonly givenNetwork: string | undefined,
		private readonly place: string,
	) {}

	static of(credential: JsonRecord, { baseUrl, key }: { baseUrl: string; key: string }) {
		return new VendorWords(
			readWord(credential.serviceWord, 'Service Word') ??
				serviceWordIn(key) ??
				DOCUMENTED_WORDS.service,
			// Paths and fields are all lower case; names typed by people often are not.
			readWord(credential.networkWord, 'Network Word')?.toLowerCase(),
			createHash('sha256')
				.update(JSON.stringify([baseUrl, key]))
				.digest('base64url'),
		);
	}

	/** Undefined until it is set or a lead has shown it. */
	get network(): string | undefined {
		if (this.givenNetwork !== undefined) return this.givenNetwork;
		const word = learned.get(this.place);
		if (word !== undefined) this.remember(word);
		return word;
	}

	get names(): WireNames {
		return wireNames({
			service: this.service,
			network: this.network ?? DOCUMENTED_WORDS.network,
		});
	}

	/** For errors: the words used, in case one of them caused the refusal. */
	usedIn({
		name,
		etag,
	}: {
		name: EndpointName;
		etag?: string;
	}): Pick<FailureFacts, 'etagHeader' | 'networkWord'> {
		const { postEtagHeader, pathParams } = this.names;
		return {
			...(etag === undefined ? {} : { etagHeader: postEtagHeader }),
			...(endpoint(name).path.includes('{networkWord}') ? pathParams : {}),
		};
	}

	/** Learns from leads as returned by the service. */
	observe(leads: readonly JsonRecord[]): void {
		if (this.givenNetwork !== undefined) return;
		const known = learned.get(this.place);
		// Usually the first lead confirms it.
		if (known !== undefined && leads.some((lead) => hasProfileUrlOf(lead, known))) return;
		const word = networkWordOf(leads);
		if (word !== undefined) this.remember(word);
	}

	private remember(word: string): void {
		learned.delete(this.place);
		learned.set(this.place, word);
		const oldest = learned.size > MAX_CREDENTIALS ? learned.keys().next().value : undefined;
		if (oldest !== undefined) learned.delete(oldest);
	}
}

function readWord(value: unknown, label: string): string | undefined {
	if (value === undefined || value === null) return undefined;
	const text = typeof value === 'number' ? String(value) : value;
	const word = typeof text === 'string' ? text.trim() : undefined;
	if (word === '') return undefined;
	if (word !== undefined && isWord(word)) return word;
	throw new InputError(
		`"${label}" in the credential is not one word of letters and digits`,
		'Open the credential and enter the word alone (a hyphen or an underscore may stand inside of it), or leave the field empty.',
	);
}
