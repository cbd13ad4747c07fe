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
import { carriesKey, markerFor, noteWith } from '../../post/keyMarker';
import { isSameText } from '../../../item/storedValue';
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
	await tryDraft(trial);
	await tryLeadMagnet(trial);
	await tryFile(trial, functions);
	trial.sumUp();
	return trial.findings;
}

const KINDS = {
	post: { what: 'draft', remove: 'post.delete', removed: 'deleting' },
	leadMagnet: { what: 'lead magnet', remove: 'leadMagnet.archive', removed: 'archiving' },
	media: { what: 'image', remove: 'media.delete', removed: 'deleting a file' },
} as const;
type Listed = 'post' | 'leadMagnet';

class Trial {
	readonly findings = new Map<Step, Finding>();
	readonly mark = `n8n-diagnosis-${randomBytes(6).toString('hex')}`;
	private readonly left: string[] = [];
	private notFound = 0;

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

	async send(name: EndpointName, options: CallOptions, client = this.client) {
		return (await client.call(name, { ...options, account: this.account })).data;
	}

	async list(resource: Listed, client = this.client): Promise<readonly JsonRecord[]> {
		return (await client.list(`${resource}.getAll`, { account: this.account })).records;
	}

	/** Makes a record, lets it be looked at, and removes it whatever happens. */
	async withRecord(
		step: Step,
		{ resource, body }: { resource: Listed; body: JsonRecord },
		look: (id: string, record: JsonRecord) => Promise<void>,
	): Promise<void> {
		// It counts as made unless the service has certainly refused it.
		let isRefused = false;
		let id: string | undefined;
		try {
			const sending = this.send(`${resource}.create`, { body });
			const record = await this.ending(step, sending);
			isRefused = (await outcomeOf(sending)).failure?.facts.uncertain === false;
			if (record === undefined) return;
			if (typeof record.id === 'string') ({ id } = record);
			this.note(step, id !== undefined, id === undefined ? 'without an ID' : 'made');
			if (id !== undefined) await look(id, record);
		} finally {
			if (!isRefused) await this.remove(resource, id ?? (await this.marked(resource)));
		}
	}

	/** The ID of a record whose answer was lost. */
	private async marked(resource: Listed): Promise<string | undefined> {
		const { value: records = [] } = await outcomeOf(this.list(resource, this.cleaner));
		const found = records.find((record) => JSON.stringify(record).includes(this.mark))?.id;
		return typeof found === 'string' ? found : undefined;
	}

	/** Looks whether it is gone as well. What is not there is only missed if it is known to exist. */
	async remove(
		resource: keyof typeof KINDS,
		id: string | undefined,
		mayBeMissing = false,
	): Promise<void> {
		if (id === undefined) {
			this.notFound += 1;
			return;
		}
		const { what, remove, removed } = KINDS[resource];
		const isFile = resource === 'media';
		const named = isFile ? { body: { [ASSUMED_FIELDS.mediaPath]: id } } : { params: { id } };
		const { failure } = await outcomeOf(this.send(remove, named, this.cleaner));
		const again = isFile ? undefined : this.send(`${resource}.get`, named, this.cleaner);
		const read = again && (await outcomeOf(again));
		const isMissing = [failure, read?.failure].some((one) => one !== undefined && isNotFound(one));
		const isThere = failure === undefined ? read?.value !== undefined : !isMissing;
		if (isThere) this.left.push(`${what} ${id}`);
		if (failure === undefined) this.note(removed, !isThere, isThere ? 'still found' : 'gone');
		else if (isThere || !mayBeMissing) this.findings.set(removed, failedBy(failure.facts));
	}

	/** Nothing that was made stays, or it is named. */
	sumUp(): void {
		const { left, notFound, mark } = this;
		this.findings.set('what was made is gone', {
			result: left.length > 0 ? 'failed' : notFound > 0 ? 'differs' : 'holds',
			seen: `${left.length} left, ${notFound} that may have been made and were not found`,
			left: notFound > 0 ? [...left, `perhaps something marked ${mark}`] : left,
		});
	}
}

async function tryDraft(trial: Trial): Promise<void> {
	const text = `A draft that n8n has made to try the service; it may be deleted. ${trial.mark} ${HARD_TEXT}`;
	const notes = noteWith('Made by a diagnosis.', [markerFor(trial.mark)]);
	const draft = { resource: 'post', body: { text, status: 'draft', notes } } as const;
	await trial.withRecord('a draft', draft, async (id, { status }) => {
		const params = { id };
		if (status !== 'draft') trial.note('a draft', false, 'the status is not draft');
		const listed = await trial.ending('a draft is found again', trial.list('post'));
		if (listed !== undefined) {
			const found = listed.find((post) => post.id === id);
			const isMarked = found !== undefined && carriesKey(found.notes, trial.mark);
			const seen = isMarked ? 'by its note' : found ? 'without note' : 'not found';
			trial.note('a draft is found again', isMarked, seen);
		}
		const post = await trial.ending('text', trial.send('post.get', { params }));
		if (post !== undefined) {
			trial.note('notes', carriesKey(post.notes, trial.mark), howKept(post.notes, notes));
			trial.note('text', isKept(post.text, text), howKept(post.text, text));
		}
		const changed = `${text} changed`;
		const change = trial.send('post.update', { params, body: { text: changed, notes: null } });
		const reading = change.then(async () => await trial.send('post.get', { params }));
		const after = await trial.ending('a change', reading);
		if (after === undefined) return;
		trial.note('a change', isKept(after.text, changed), howKept(after.text, changed));
		const isEmpty = (after.notes ?? '') === '';
		trial.note('emptying a field', isEmpty, isEmpty ? 'emptied' : 'still there');
	});
}

const isKept = (stored: unknown, sent: string): boolean =>
	typeof stored === 'string' && isSameText(stored, sent);
const howKept = (stored: unknown, sent: string): string =>
	stored === sent ? 'unchanged' : isKept(stored, sent) ? 'spelled otherwise' : 'not as it was sent';

async function tryLeadMagnet(trial: Trial): Promise<void> {
	const body = {
		delivery_mode: 'external_link',
		// Nobody reacts with it by chance.
		keyword: trial.mark,
		resource_name: 'Made by a diagnosis of n8n; it may be archived',
		resource_link: 'https://example.com/',
	};
	await trial.withRecord('a lead magnet', { resource: 'leadMagnet', body }, async () => undefined);
}

async function tryFile(trial: Trial, functions: HttpFunctions): Promise<void> {
	const file = { size: PIXEL.length, contentType: 'image/png', open: async () => PIXEL };
	const body = {
		...{ filename: `${trial.mark}.png`, content_type: file.contentType, file_size: file.size },
	};
	const asking = trial.send('media.createUploadUrl', { body });
	const given = await trial.ending('uploading', asking);
	if (given === undefined) return;
	const target = await readConnection(functions)
		.then((connection) => readTarget(given, connection))
		.catch(() => undefined);
	if (target === undefined || typeof given.path !== 'string') {
		trial.note('uploading', false, 'no address to send to, or no path');
		return;
	}
	let isTaken: true | undefined;
	try {
		const agency = trial.account.kind === 'client';
		const sending = putFile(functions, { target, file, agency }).then((): true => true);
		isTaken = await trial.ending('uploading', sending);
		if (isTaken) trial.note('uploading', true, 'taken with PUT');
	} finally {
		await trial.remove('media', given.path, !isTaken);
	}
}
