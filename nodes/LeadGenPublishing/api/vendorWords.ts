/**
 * The vendor's words as one credential knows them: those it was given, the one its key begins
 * with, the one that leads read with it have shown. What leads show is kept for the process only.
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

const MOST_CREDENTIALS = 1_000;

/** By base address and key, as a digest; the least recently used goes first. */
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
			// Paths and fields are lower case throughout; a name that people type seldom is.
			readWord(credential.networkWord, 'Network Word')?.toLowerCase(),
			createHash('sha256')
				.update(JSON.stringify([baseUrl, key]))
				.digest('base64url'),
		);
	}

	/** Undefined as long as nobody has said it and no lead has shown it. */
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

	/** For the error, where one of them may be why a request was refused. */
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

	/** Looks at leads as the service gave them. */
	observe(leads: readonly JsonRecord[]): void {
		if (this.givenNetwork !== undefined) return;
		const known = learned.get(this.place);
		// Almost always the first one confirms it.
		if (known !== undefined && leads.some((lead) => hasProfileUrlOf(lead, known))) return;
		const word = networkWordOf(leads);
		if (word !== undefined) this.remember(word);
	}

	private remember(word: string): void {
		learned.delete(this.place);
		learned.set(this.place, word);
		const oldest = learned.size > MOST_CREDENTIALS ? learned.keys().next().value : undefined;
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
