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
import { failedBy, holdsIf, type Finding } from './check';
import type { Step } from './checks/writing';

export type Written = ReadonlyMap<Step, Finding>;

/** A letter in two parts, what HTML escapes, and a blank that does not break. */
const HARD_TEXT = 'Cafe\u0301 & <b>"it\'s"</b> 1\u00a02';
const PIXEL = Buffer.from(
	'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
	'base64',
);

export async function tryWrites(functions: HttpFunctions, account: Account): Promise<Written> {
	const client = await Client.connect(functions);
	// A signal of its own: whoever stops the run does not keep it from tidying up.
	const cleaner = await Client.connect(functions, { signal: new AbortController().signal });
	const trial = new Trial(account, client, cleaner);
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
	/** Where it is found by its mark if the answer to its creation was lost. */
	readonly list?: EndpointName;
	id?: string;
}

const byId = (id: string): CallOptions => ({ params: { id } });

class Trial {
	readonly findings = new Map<Step, Finding>();
	readonly mark = `n8n-diagnosis-${randomBytes(6).toString('hex')}`;
	private readonly made: Made[] = [];

	constructor(
		readonly account: Account,
		private readonly client: Client,
		private readonly cleaner: Client,
	) {}

	note(step: Step, isAsHoped: boolean, seen: string): void {
		this.findings.set(step, holdsIf(isAsHoped, seen));
	}

	/** What came; undefined if the step failed, so that what builds on it is left out. */
	async ending<T>(step: Step, work: Promise<T>): Promise<T | undefined> {
		const { value, failure } = await outcomeOf(work);
		if (failure !== undefined) this.findings.set(step, failedBy(failure.facts));
		return value;
	}

	async call(step: Step, name: EndpointName, options: CallOptions) {
		return await this.ending(step, this.send(name, options));
	}

	private async send(name: EndpointName, options: CallOptions, client = this.client) {
		return (await client.call(name, { ...options, account: this.account })).data;
	}

	async list(name: EndpointName, client = this.client): Promise<JsonRecord[]> {
		return (await client.page(name, { limit: 100, offset: 0, account: this.account })).data;
	}

	/** The record, if it was made and says its ID. */
	async make(step: Step, name: EndpointName, made: Made, body: JsonRecord) {
		this.expect(made);
		const sending = this.send(name, { body });
		const record = await this.ending(step, sending);
		if (record === undefined) {
			// It counts as made unless the service has certainly refused it.
			if ((await outcomeOf(sending)).failure?.facts.uncertain === false) this.forget(made);
			return undefined;
		}
		if (typeof record.id === 'string') made.id = record.id;
		this.note(step, made.id !== undefined, made.id === undefined ? 'without an ID' : 'made');
		return made.id === undefined ? undefined : { id: made.id, record };
	}

	/** From now on it may be there. */
	expect(made: Made): void {
		this.made.push(made);
	}

	private forget(made: Made): void {
		this.made.splice(this.made.indexOf(made), 1);
	}

	/** Removes it, and looks whether it is gone. */
	async remove(step: Step, made: Made, get?: EndpointName): Promise<void> {
		const { id, remove, named } = made;
		if (id === undefined || (await this.call(step, remove, named(id))) === undefined) return;
		const again = get && (await outcomeOf(this.send(get, byId(id)))).failure;
		const isGone = get === undefined || (again !== undefined && isNotFound(again));
		if (isGone) this.forget(made);
		this.note(step, isGone, isGone ? 'gone' : 'still found');
	}

	/** Whatever became of the steps: nothing that was made stays, or it is named. */
	async removeAll(): Promise<void> {
		const left: string[] = [];
		let notFound = 0;
		for (const made of [...this.made].reverse()) {
			const { value: isFound, failure } = await outcomeOf(this.clean(made));
			if (isFound === false) notFound += 1;
			if (failure !== undefined && !isNotFound(failure))
				left.push(`${made.what} ${made.id ?? `marked ${this.mark}`}`);
		}
		this.findings.set('what was made is gone', {
			result: left.length > 0 ? 'failed' : notFound > 0 ? 'differs' : 'holds',
			seen: `${left.length} left, ${notFound} that may have been made and were not found`,
			left: notFound > 0 ? [...left, `perhaps something marked ${this.mark}`] : left,
		});
	}

	/** Whether there was something to remove. */
	private async clean(made: Made): Promise<boolean> {
		if (made.id === undefined && made.list !== undefined) {
			const records = await this.list(made.list, this.cleaner);
			const found = records.find((record) => JSON.stringify(record).includes(this.mark))?.id;
			if (typeof found === 'string') made.id = found;
		}
		if (made.id === undefined) return false;
		await this.send(made.remove, made.named(made.id), this.cleaner);
		return true;
	}
}

async function tryDraft(trial: Trial): Promise<void> {
	const text = `A draft that n8n has made to try the service; it may be deleted. ${trial.mark} ${HARD_TEXT}`;
	const marker = markerOf(trial.mark);
	const notes = noteWith('Made by a diagnosis.', marker);
	const draft: Made = { what: 'draft', list: 'post.getAll', remove: 'post.delete', named: byId };
	const made = await trial.make('a draft', 'post.create', draft, { text, status: 'draft', notes });
	if (made === undefined) return;
	const { id, record } = made;
	if (record.status !== 'draft') trial.note('a draft', false, 'the status is not draft');
	const listed = await trial.ending('a draft is found again', trial.list('post.getAll'));
	if (listed !== undefined) {
		const found = listed.find((post) => post.id === id);
		const isMarked = found !== undefined && markerIn(found.notes) === marker;
		const seen = isMarked ? 'by its note' : found ? 'without note' : 'not found';
		trial.note('a draft is found again', isMarked, seen);
	}
	const post = await trial.call('text', 'post.get', byId(id));
	if (post !== undefined) {
		trial.note('notes', markerIn(post.notes) === marker, howKept(post.notes, notes));
		trial.note('text', isKept(post.text, text), howKept(post.text, text));
	}
	const changed = `${text} changed`;
	const body = { text: changed, notes: null };
	const accepted = await trial.call('a change', 'post.update', { ...byId(id), body });
	const after = accepted && (await trial.call('a change', 'post.get', byId(id)));
	if (after !== undefined) {
		trial.note('a change', isKept(after.text, changed), howKept(after.text, changed));
		const isEmpty = (after.notes ?? '') === '';
		trial.note('emptying a field', isEmpty, isEmpty ? 'emptied' : 'still there');
	}
	await trial.remove('deleting', draft, 'post.get');
}

const isKept = (stored: unknown, sent: string): boolean =>
	typeof stored === 'string' && isSameText(stored, sent);
const howKept = (stored: unknown, sent: string): string =>
	stored === sent ? 'unchanged' : isKept(stored, sent) ? 'spelled otherwise' : 'not as it was sent';

async function tryLeadMagnet(trial: Trial): Promise<void> {
	const list = 'leadMagnet.getAll';
	const magnet: Made = { what: 'lead magnet', list, remove: 'leadMagnet.archive', named: byId };
	await trial.make('a lead magnet', 'leadMagnet.create', magnet, {
		delivery_mode: 'external_link',
		// Nobody reacts with it by chance.
		keyword: trial.mark,
		resource_name: 'Made by a diagnosis of n8n; it may be archived',
		resource_link: 'https://example.com/',
	});
	await trial.remove('archiving', magnet, 'leadMagnet.get');
}

async function tryFile(trial: Trial, functions: HttpFunctions): Promise<void> {
	const { length: size } = PIXEL;
	const contentType = 'image/png';
	const body = { filename: `${trial.mark}.png`, content_type: contentType, file_size: size };
	const given = await trial.call('uploading', 'media.createUploadUrl', { body });
	if (given === undefined) return;
	const target = usable(given, await readConnection(functions));
	if (target === undefined || typeof given.path !== 'string') {
		trial.note('uploading', false, 'no address to send to, or no path');
		return;
	}
	const named = (path: string) => ({ body: { [ASSUMED_FIELDS.mediaPath]: path } });
	const image: Made = { what: 'image', remove: 'media.delete', named, id: given.path };
	trial.expect(image);
	const file = { size, contentType, open: async () => await Promise.resolve(PIXEL) };
	const sending = putFile(functions, { target, file, agency: trial.account.kind === 'client' });
	if (
		(await trial.ending(
			'uploading',
			sending.then(() => true),
		)) === undefined
	)
		return;
	trial.note('uploading', true, 'taken with PUT');
	await trial.remove('deleting a file', image);
}

function usable(given: JsonRecord, connection: { baseUrl: string }) {
	try {
		return readTarget(given, connection);
	} catch {
		return undefined;
	}
}
