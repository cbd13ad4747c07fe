/**
 * What is done for a post before it is sent, and what becomes of that afterwards: its time at the next
 * free slot, and its files.
 *
 * | what came of it               | its time   | its files                      |
 * | ----------------------------- | ---------- | ------------------------------ |
 * | the post has them             | kept       | used                           |
 * | refused for good              | given back | deleted                        |
 * | certainly not done, but later | given back | stay for the next attempt      |
 * | nobody knows                  | kept       | stay, as the post may use them |
 *
 * To use it: make one for each item, with `openMedia` for its files and `timeTaker` for its slot. Call
 * `plan` before the checks that need the time, `fieldsFor` right before the request, and give the whole
 * work to `settle`, which decides by the table. Ask `api.requireAllowed` before `fieldsFor`, so that
 * nothing is uploaded for a request that only a person may send.
 */
import { ApiFailure, InputError, OpenWriteError } from '../../../api/failure';
import { nextAttemptAfter } from '../../../api/policy';
import type { JsonRecord } from '../../../api/schemas';
import { instantOf } from '../../../records/storedValue';
import type { ItemCall } from '../../../item/itemCall';
import type { TakenTime } from '../../slots/planner';
import { fieldsToCome, type AttachedMedia } from './attachedMedia';
import { openUploads, withLeftFiles, type Uploads } from './uploads';

/** What came of sending a post. */
export type Fate = 'done' | 'refused' | 'notDone' | 'unknown';

export function fateOf(error: unknown): Exclude<Fate, 'done'> {
	if (error instanceof OpenWriteError) return 'unknown';
	if (error instanceof InputError) return 'refused';
	if (!(error instanceof ApiFailure) || error.facts.uncertain) return 'unknown';
	const { facts } = error;
	return facts.retryable && nextAttemptAfter(facts) !== 'never' ? 'notDone' : 'refused';
}

interface Planned {
	readonly media: AttachedMedia;
	/** Takes the next free time; undefined if the post needs none. */
	readonly takeTime: (() => Promise<TakenTime>) | undefined;
}

/** A time that is so near may be over when the request arrives, after an upload. */
const TOO_NEAR_MS = 10_000;

export class Preparation {
	private readonly uploads: Uploads;
	private time: TakenTime | undefined;

	constructor(
		private readonly call: ItemCall,
		private readonly planned: Planned,
	) {
		this.uploads = openUploads(call, planned.media);
	}

	/** Takes a time, if the post needs one. */
	async plan(): Promise<JsonRecord> {
		this.time = await this.planned.takeTime?.();
		return this.fieldsOfTime();
	}

	private fieldsOfTime(): JsonRecord {
		return this.time === undefined ? {} : { scheduled_at: new Date(this.time.time).toISOString() };
	}

	/**
	 * Uploads the files. Returns the fields that are sent for them and for the time that was planned;
	 * a post that exists may need one of them only.
	 */
	async fieldsFor({ files, time }: { files: boolean; time: boolean }): Promise<JsonRecord> {
		const ofFiles = files ? await this.fieldsOfFiles() : {};
		if (!time) return ofFiles;
		const isLate = (this.time?.time ?? Infinity) < this.call.api.now() + TOO_NEAR_MS;
		return { ...ofFiles, ...(isLate ? await this.plan() : this.fieldsOfTime()) };
	}

	private async fieldsOfFiles(): Promise<JsonRecord> {
		const { call, planned, uploads } = this;
		if (!call.isDryRun) return await uploads.upload();
		sayPlanned(call, planned.media);
		return fieldsToCome(planned.media);
	}

	/** Waits for the post, and decides what becomes of its time and its files. */
	async settle<T extends JsonRecord | undefined>(sending: Promise<T>): Promise<T> {
		const sent = await sending.then(
			(record) => ({ record }),
			(error: unknown) => ({ error }),
		);
		if (!('error' in sent)) {
			this.keepFor(sent.record);
			return sent.record;
		}
		const fate = this.call.isDryRun ? 'unknown' : fateOf(sent.error);
		if (fate !== 'unknown') this.time?.giveBack();
		throw withLeftFiles(sent.error, await this.leave(fate));
	}

	private keepFor(record: JsonRecord | undefined): void {
		this.uploads.forget();
		const due = instantOf(record?.scheduled_at);
		// Team Boost may have moved it.
		if (due !== undefined && due !== this.time?.time) this.time?.moveTo(due);
	}

	private async leave(fate: Exclude<Fate, 'done'>) {
		switch (fate) {
			case 'refused':
				return await this.uploads.remove();
			case 'notDone':
				return this.uploads.left('keptForNextAttempt');
			case 'unknown':
				return this.uploads.left('perhapsInUse');
		}
	}
}

/** A dry run does not upload files. */
function sayPlanned({ notice }: Pick<ItemCall, 'notice'>, media: AttachedMedia): void {
	if (media.kind === 'none') return;
	const names = media.files.map(
		({ body, contentType, file }) =>
			`${String(body.filename)} (${contentType}, ${file.size} bytes)`,
	);
	notice(`These files would be uploaded first: ${names.join(', ')}.`);
}
