/**
 * Prepares the time of a post (at the next free slot) and its files before it is sent, and cleans up
 * afterwards.
 *
 * | result for the post           | its time   | its files                      |
 * | ----------------------------- | ---------- | ------------------------------ |
 * | it has them                   | kept       | used                           |
 * | rejected for good             | given back | deleted                        |
 * | certainly not done, may retry | given back | stay for the next attempt      |
 * | nobody knows                  | kept       | stay, as the post may use them |
 *
 * To use it, make one for each item, with `openMedia` for its files and `timeTaker` for its slot. Call
 * `plan` before the checks that need the time, and `fieldsFor` right before the request. Pass the
 * promise of the whole work to `settle`, which acts by the table. Call `api.requireAllowed` before
 * `fieldsFor`, so that nothing is uploaded for a request that only a person may send.
 */
import { ApiFailure, InputError, OpenWriteError } from '../../../api/failure';
import { mayPass, nextAttemptAfter } from '../../../api/policy';
import type { JsonRecord } from '../../../api/schemas';
import { instantOf } from '../../../records/storedValue';
import type { ItemCall } from '../../../item/itemCall';
import type { TakenTime } from '../../../planning/slots/planner';
import { fieldsToCome, type AttachedMedia } from './attachedMedia';
import { openUploads, withLeftFiles, type Uploads } from './uploads';

/** The result of sending a post. */
export type Fate = 'done' | 'refused' | 'notDone' | 'unknown';

export function fateOf(error: unknown): Exclude<Fate, 'done'> {
	if (error instanceof OpenWriteError) return 'unknown';
	if (error instanceof InputError) return 'refused';
	if (!(error instanceof ApiFailure) || error.facts.uncertain) return 'unknown';
	const { facts } = error;
	return mayPass(facts) && nextAttemptAfter(facts) !== 'never' ? 'notDone' : 'refused';
}

interface Planned {
	readonly media: AttachedMedia;
	/** Takes the next free time. Undefined if the post needs none. */
	readonly takeTime: (() => Promise<TakenTime>) | undefined;
}

/** After an upload, a time that is this near may have passed when the request arrives. */
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
	 * Uploads the files. Returns the fields for them and for the planned time. An existing post may
	 * need only one of the two.
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

	/** Waits for the post, and then decides what happens to its time and its files. */
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
		// Team Boost may have moved the post.
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
