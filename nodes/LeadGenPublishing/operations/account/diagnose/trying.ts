/**
 * Tries the writes that do no harm: a draft, a lead magnet that nobody knows of, an image of one
 * pixel. Nothing is published, nothing else is touched, and whatever was made is removed again, also
 * when something fails or the run is stopped.
 */
import { randomBytes } from 'crypto';

import { ASSUMED_FIELDS } from '../../../api/assumptions';
import { Client, type CallOptions, readConnection } from '../../../api/client';
import type { EndpointName, Account } from '../../../api/endpoints';
import { isNotFound, outcomeOf } from '../../../api/failure';
import type { JsonRecord } from '../../../api/schemas';
import type { HttpFunctions } from '../../../api/transport';
import { putFile, readTarget } from '../../../api/upload';
import { markerIn, markerOf, noteWith } from '../../post/keyMarker';
import { isSameText } from '../../storedValue';
import type { Finding } from './check';
import { inShort, wordsOf } from './evidence';

export type Step =
	| ('made' | 'found' | 'notes' | 'text' | 'changed' | 'emptied' | 'deleted')
	| ('leadMagnetMade' | 'leadMagnetArchived' | 'uploaded' | 'fileDeleted' | 'removed');
export type Written = ReadonlyMap<Step, Finding>;

/** A letter in two parts, what HTML escapes, and a blank that does not break. */
const HARD_TEXT = 'Cafe\u0301 & <b>"it\'s"</b> 1\u00a02';
const PAGE = { limit: 100, offset: 0 };
const PIXEL = Buffer.from(
	'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
	'base64',
);

export async function tryWrites(functions: HttpFunctions, account: Account): Promise<Written> {
	const trial = new Trial({
		account,
		client: await Client.connect(functions),
		// A signal of its own: whoever stops the run does not keep it from tidying up.
		cleaner: await Client.connect(functions, { signal: new AbortController().signal }),
	});
	try {
		await tryDraft(trial);
		await tryLeadMagnet(trial);
		await tryFile(trial, functions);
	} finally {
		await trial.removeAll();
	}
	return trial.findings;
}

/** Something that was made, or may have been, and how it goes away. */
interface Made {
	readonly what: string;
	readonly remove: EndpointName;
	/** How the request that removes it names it. */
	readonly named: (id: string) => CallOptions;
	/** Where and by what it is found if the answer to its creation was lost. */
	readonly list?: EndpointName;
	id?: string;
}

type Asked = Omit<CallOptions, 'account'>;

class Trial {
	readonly findings = new Map<Step, Finding>();
	readonly mark = `n8n-diagnosis-${randomBytes(6).toString('hex')}`;
	private readonly made: Made[] = [];

	constructor(
		readonly by: { readonly account: Account; readonly client: Client; readonly cleaner: Client },
	) {}

	note(step: Step, isAsHoped: boolean, seen: string): void {
		this.findings.set(step, { result: isAsHoped ? 'holds' : 'differs', seen });
	}

	/** The record that came; undefined if the step failed, so that what builds on it is left out. */
	async call(step: Step, name: EndpointName, options: Asked): Promise<JsonRecord | undefined> {
		const { account, client } = this.by;
		return await this.ending(
			step,
			client.call(name, { ...options, account }).then(({ data }) => data),
		);
	}

	async ending<T>(step: Step, work: Promise<T>): Promise<T | undefined> {
		const { value, failure } = await outcomeOf(work);
		if (failure === undefined) return value;
		const { facts } = failure;
		this.findings.set(step, { result: 'failed', seen: inShort(facts), words: wordsOf(facts) });
		return undefined;
	}

	/** Sends what makes a record, which counts as made unless the service has certainly refused it. */
	async make(step: Step, name: EndpointName, made: Made, body: JsonRecord) {
		const { account, client } = this.by;
		this.expect(made);
		const sent = outcomeOf(client.call(name, { account, body }));
		const { value, failure } = await sent;
		if (failure !== undefined) {
			if (!failure.facts.uncertain) this.forget(made);
			await this.ending(step, Promise.reject(failure));
			return undefined;
		}
		const { id } = value.data;
		made.id = typeof id === 'string' ? id : undefined;
		this.note(step, made.id !== undefined, made.id === undefined ? 'without an ID' : 'made');
		return value.data;
	}

	/** From now on it may be there. */
	expect(made: Made, id?: string): void {
		made.id = id;
		this.made.push(made);
	}

	async list(name: EndpointName, client = this.by.client): Promise<JsonRecord[]> {
		return (await client.page(name, { ...PAGE, account: this.by.account })).data;
	}

	/** Removes it, and looks whether it is gone. */
	async remove(step: Step, made: Made, get?: EndpointName): Promise<void> {
		const { id } = made;
		if (id === undefined) return;
		const { account, client } = this.by;
		const removed = await this.call(step, made.remove, made.named(id));
		if (removed === undefined) return;
		const again = get && (await outcomeOf(client.call(get, { account, params: { id } }))).failure;
		const isGone = get === undefined || (again !== undefined && isNotFound(again));
		if (isGone) this.forget(made);
		this.note(step, isGone, isGone ? 'gone' : 'still found');
	}

	private forget(made: Made): void {
		this.made.splice(this.made.indexOf(made), 1);
	}

	/** Whatever became of the steps: nothing that was made stays, or it is named. */
	async removeAll(): Promise<void> {
		const { account, cleaner } = this.by;
		const left: string[] = [];
		let notFound = 0;
		for (const made of [...this.made].reverse()) {
			const { value: id, failure: unseen } = await outcomeOf(this.idOf(made));
			if (unseen === undefined && id === undefined) {
				notFound += 1;
				continue;
			}
			const failure =
				id === undefined
					? unseen
					: (await outcomeOf(cleaner.call(made.remove, { ...made.named(id), account }))).failure;
			if (failure !== undefined && !isNotFound(failure))
				left.push(`${made.what} ${id ?? `marked ${this.mark}`}`);
		}
		this.findings.set('removed', {
			result: left.length > 0 ? 'failed' : notFound > 0 ? 'differs' : 'holds',
			seen: `${left.length} left, ${notFound} that may have been made and were not found`,
			left: notFound > 0 ? [...left, `perhaps something marked ${this.mark}`] : left,
		});
	}

	private async idOf({ id, list }: Made): Promise<string | undefined> {
		if (id !== undefined || list === undefined) return id;
		const records = await this.list(list, this.by.cleaner);
		const found = records.find((record) => JSON.stringify(record).includes(this.mark))?.id;
		return typeof found === 'string' ? found : undefined;
	}
}

const byId = (id: string): CallOptions => ({ params: { id } });

async function tryDraft(trial: Trial): Promise<void> {
	const text = `A draft that n8n has made to try the service; it may be deleted. ${trial.mark} ${HARD_TEXT}`;
	const marker = markerOf(trial.mark);
	const notes = noteWith('Made by a diagnosis.', marker);
	const draft: Made = { what: 'draft', list: 'post.getAll', remove: 'post.delete', named: byId };
	const made = await trial.make('made', 'post.create', draft, { text, status: 'draft', notes });
	const { id } = draft;
	if (made === undefined || id === undefined) return;
	if (made.status !== 'draft') trial.note('made', false, 'the status is not draft');
	const listed = await trial.ending('found', trial.list('post.getAll'));
	const found = listed?.find((post) => post.id === id);
	const isMarked = found !== undefined && markerIn(found.notes) === marker;
	if (listed !== undefined)
		trial.note('found', isMarked, isMarked ? 'by its note' : found ? 'without note' : 'not found');
	const post = await trial.call('text', 'post.get', byId(id));
	if (post !== undefined) {
		trial.note('notes', markerIn(post.notes) === marker, howKept(post.notes, notes));
		trial.note('text', isKept(post.text, text), howKept(post.text, text));
	}
	const changed = `${text} changed`;
	const body = { text: changed, notes: null };
	const accepted = await trial.call('changed', 'post.update', { ...byId(id), body });
	const after = accepted && (await trial.call('changed', 'post.get', byId(id)));
	if (after !== undefined) {
		trial.note('changed', isKept(after.text, changed), howKept(after.text, changed));
		const isEmpty = (after.notes ?? '') === '';
		trial.note('emptied', isEmpty, isEmpty ? 'emptied' : 'still there');
	}
	await trial.remove('deleted', draft, 'post.get');
}

const isKept = (stored: unknown, sent: string): boolean =>
	typeof stored === 'string' && isSameText(stored, sent);
const howKept = (stored: unknown, sent: string): string =>
	stored === sent ? 'unchanged' : isKept(stored, sent) ? 'spelled otherwise' : 'not as it was sent';

async function tryLeadMagnet(trial: Trial): Promise<void> {
	const magnet: Made = {
		...{ what: 'lead magnet', list: 'leadMagnet.getAll' },
		...{ remove: 'leadMagnet.archive', named: byId },
	};
	await trial.make('leadMagnetMade', 'leadMagnet.create', magnet, {
		delivery_mode: 'external_link',
		// Nobody reacts with it by chance.
		keyword: trial.mark,
		resource_name: 'Made by a diagnosis of n8n; it may be archived',
		resource_link: 'https://example.com/',
	});
	await trial.remove('leadMagnetArchived', magnet, 'leadMagnet.get');
}

async function tryFile(trial: Trial, functions: HttpFunctions): Promise<void> {
	const { length: size } = PIXEL;
	const contentType = 'image/png';
	const image: Made = {
		...{ what: 'image', remove: 'media.delete' },
		named: (path) => ({ body: { [ASSUMED_FIELDS.mediaPath]: path } }),
	};
	const body = { filename: `${trial.mark}.png`, content_type: contentType, file_size: size };
	const given = await trial.call('uploaded', 'media.createUploadUrl', { body });
	if (given === undefined) return;
	const target = usable(given, await readConnection(functions));
	if (target === undefined || typeof given.path !== 'string') {
		trial.note('uploaded', false, 'no address to send to, or no path');
		return;
	}
	trial.expect(image, given.path);
	const file = { size, contentType, open: async () => await Promise.resolve(PIXEL) };
	const agency = trial.by.account.kind === 'client';
	const sending = putFile(functions, { target, file, agency }).then(() => true);
	if ((await trial.ending('uploaded', sending)) === undefined) return;
	trial.note('uploaded', true, 'taken with PUT');
	await trial.remove('fileDeleted', image);
}

function usable(given: JsonRecord, connection: { baseUrl: string }) {
	try {
		return readTarget(given, connection);
	} catch {
		return undefined;
	}
}
