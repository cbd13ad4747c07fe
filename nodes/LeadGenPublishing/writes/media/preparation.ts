/**
 * Prepares the time of a post (at the next free slot) and its files before it is sent, and cleans up
 * afterwards.
 *
 * | result for the post           | its time   | its files                      |
 * | ----------------------------- | ---------- | ------------------------------ |
 * | it has them                   | kept       | used                           |
 * | finally rejected              | given back | deleted                        |
 * | certainly not done, may retry | given back | stay for the next attempt      |
 * | unknown                       | kept       | stay, as the post may use them |
 *
 * To use it, make one for each item that needs a time or has files. Call `takeTime` before the checks
 * that need the time, and `fieldsFor` right before the request. Then call `keepFor` with the post, or
 * `giveUp` with the error: both act by the table. Call `api.requireAllowed` before `fieldsFor`, so that
 * nothing is uploaded for a request that only a person may send.
 */
import { DoneError, InputError, OpenWriteError } from '../../words/inputError';
import { ApiFailure, type LeftFiles } from '../../api/failure';
import { mayPass, nextAttemptAfter } from '../../api/policy';
import type { JsonRecord } from '../../api/schemas';
import { instantOf } from '../../records/storedValue';
import type { ItemHints, WriteCall } from '../../item/itemCall';
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

/** The time of a post at a free slot. */
export interface SlotTime {
	/** In ms. */
	readonly time: number;
	/** To be called if the item does not use the time after all. */
	readonly giveBack: () => void;
	/** To be called if the item has got another time instead. */
	readonly moveTo: (time: number) => void;
}

export type TimeTaker = () => Promise<SlotTime>;

interface Prepared {
	readonly media?: AttachedMedia;
	/** Takes the next free time. Undefined if the post needs none. */
	readonly takeTime?: TimeTaker;
}

/** After an upload, a time that is this near may have passed when the request arrives. */
const TOO_NEAR_MS = 10_000;

export class Preparation {
	private readonly uploads: Uploads | undefined;
	private time: SlotTime | undefined;

	constructor(
		private readonly call: WriteCall,
		private readonly prepared: Prepared,
	) {
		this.uploads = prepared.media && openUploads(call, prepared.media);
	}

	/** Takes a time, if the post needs one. */
	async takeTime(): Promise<JsonRecord> {
		this.time = await this.prepared.takeTime?.();
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
		return { ...ofFiles, ...(isLate ? await this.takeTime() : this.fieldsOfTime()) };
	}

	private async fieldsOfFiles(): Promise<JsonRecord> {
		const { call, prepared, uploads } = this;
		if (prepared.media === undefined || uploads === undefined) return {};
		if (!call.isDryRun) return await uploads.upload();
		sayPlanned(call, prepared.media);
		return fieldsToCome(prepared.media);
	}

	/** To be called with the post, which now has its time and its files. */
	keepFor(record: JsonRecord): void {
		// A dry run must not forget what an earlier attempt has uploaded.
		if (this.call.isDryRun) return;
		this.uploads?.forget();
		const due = instantOf(record.scheduled_at);
		// Team Boost may have moved the post.
		if (due !== undefined && due !== this.time?.time) this.time?.moveTo(due);
	}

	/** Gives the time and the files up, as far as that is certain. Returns the error for the user. */
	async giveUp(error: unknown): Promise<unknown> {
		// The post exists, with its time and its files.
		if (error instanceof DoneError) return error;
		const fate = this.call.isDryRun ? 'unknown' : fateOf(error);
		if (fate !== 'unknown') this.time?.giveBack();
		const left = this.uploads && (await leftBy(this.uploads, fate));
		return left === undefined ? error : withLeftFiles(error, left);
	}
}

async function leftBy(uploads: Uploads, fate: Exclude<Fate, 'done'>): Promise<LeftFiles> {
	switch (fate) {
		case 'refused':
			return await uploads.remove();
		case 'notDone':
			return uploads.left('keptForNextAttempt');
		case 'unknown':
			return uploads.left('perhapsInUse');
	}
}

/** A dry run does not upload files. */
function sayPlanned({ notice }: Pick<ItemHints, 'notice'>, media: AttachedMedia): void {
	const names = media.files.map(
		({ body, contentType, file }) =>
			`${String(body.filename)} (${contentType}, ${file.size} bytes)`,
	);
	notice(`These files would be uploaded first: ${names.join(', ')}.`);
}
