// `--try-writes`: a draft and a file are created, observed and removed. `--lead-magnet` does so with a lead
// magnet, which is live at once and can only be archived.

import { randomInt, randomUUID } from 'node:crypto';

import { ASSUMED_FIELDS } from '../../nodes/LeadGenPublishing/api/assumptions';
import type { JsonRecord } from '../../nodes/LeadGenPublishing/api/schemas';
import {
	idIn,
	isAnswered,
	isRefused,
	recordOf,
	recordsOf,
} from '../../nodes/LeadGenPublishing/diagnose/answers';
import type { Asked } from '../../nodes/LeadGenPublishing/diagnose/facts';
import type { Ask } from './asking';

/** What happened to something that was created. */
export interface Made {
	readonly creation: Asked;
	/** The list, and the record, right after that. */
	readonly listed?: Asked;
	readonly read?: Asked;
	readonly deletions: readonly Asked[];
	/** The record once more. */
	readonly after?: Asked;
}

export interface DraftTrial extends Made {
	readonly sent: { readonly text: string; readonly notes: string };
	readonly change?: Asked;
	/** The draft after its text was changed. */
	readonly changed?: Asked;
	/** A start of Fast Response that must be rejected. */
	readonly boost?: Asked;
}

export interface FileTrial {
	readonly address: Asked;
	/** Undefined if there was no URL to send the file to. */
	readonly storing?: { readonly isStored: boolean; readonly status?: number };
	/** First with the path in the body, then in the query. */
	readonly deletions: readonly Asked[];
}

export interface Trial {
	readonly draft: DraftTrial;
	readonly file: FileTrial;
	readonly magnet?: Made;
	/** What may still exist, in words. */
	readonly left: readonly string[];
}

/** Sends a file to the URL of an upload. Throws if the storage rejects it. */
export type Upload = (given: JsonRecord, bytes: Buffer, contentType: string) => Promise<void>;

const LIST = { query: { limit: 100, offset: 0 } };
/** A PNG of one pixel. */
const PIXEL = Buffer.from(
	'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
	'base64',
);
export const CHANGED = ' Changed.';

export async function tryWrites(
	ask: Ask,
	{ upload, withMagnet }: { upload: Upload; withMagnet: boolean },
): Promise<Trial> {
	const mark = `n8n-diagnosis-${randomUUID()}`;
	const left: string[] = [];
	const draft = await tryDraft(ask, mark, left);
	const file = await tryFile(ask, mark, { upload, left });
	const magnet = withMagnet ? await tryMagnet(ask, left) : undefined;
	return { draft, file, magnet, left };
}

async function tryDraft(ask: Ask, mark: string, left: string[]): Promise<DraftTrial> {
	const sent = { text: `Trial of a diagnosis, ${mark}.`, notes: `${mark} ${'n'.repeat(1_500)}` };
	const creation = await ask('post.create', { body: { ...sent, status: 'draft' } });
	const listed = await ask('post.getAll', LIST);
	// The response may be lost or empty although the draft exists.
	const isOurs = ({ text }: JsonRecord): boolean => String(text).includes(mark);
	const id = idIn(recordOf(creation)) ?? idIn(recordsOf(listed).find(isOurs));
	if (id === undefined) {
		if (!isRefused(creation)) left.push(`perhaps a draft whose text contains ${mark}`);
		return { sent, creation, listed, deletions: [] };
	}
	const read = await ask('post.get', { id });
	const change = await ask('post.update', { id, body: { text: sent.text + CHANGED } });
	const changed = await ask('post.get', { id });
	// A draft has no schedule, and three minutes are not allowed: either is a reason to reject this.
	const body = { [ASSUMED_FIELDS.fastResponseInterval]: 3 };
	const boost = await ask('post.startFastResponse', { id, body });
	if (isAnswered(boost)) await ask('post.stopFastResponse', { id });
	const { deletions, after } = await remove(ask, { get: 'post.get', end: 'post.delete', id });
	if (!isRefused(after, 404)) left.push(`draft ${id}`);
	return { sent, creation, listed, read, change, changed, boost, deletions, after };
}

async function tryMagnet(ask: Ask, left: string[]): Promise<Made> {
	const letters = Array.from({ length: 20 }, () => String.fromCharCode(65 + randomInt(26)));
	const keyword = letters.join('');
	const creation = await ask('leadMagnet.create', {
		body: {
			delivery_mode: 'external_link',
			keyword,
			resource_name: 'Trial of a diagnosis',
			resource_link: 'https://example.com/',
		},
	});
	const listed = await ask('leadMagnet.getAll', LIST);
	const isOurs = (magnet: JsonRecord): boolean => magnet.keyword === keyword;
	const id = idIn(recordOf(creation)) ?? idIn(recordsOf(listed).find(isOurs));
	if (id === undefined) {
		if (!isRefused(creation)) left.push(`perhaps a lead magnet with the keyword ${keyword}`);
		return { creation, listed, deletions: [] };
	}
	const read = await ask('leadMagnet.get', { id });
	const names = { get: 'leadMagnet.get', end: 'leadMagnet.archive', id } as const;
	const { deletions, after } = await remove(ask, names);
	if (!isRefused(after, 404)) left.push(`lead magnet ${id} with the keyword ${keyword}`);
	return { creation, listed, read, deletions, after };
}

interface Removing {
	readonly get: 'post.get' | 'leadMagnet.get';
	readonly end: 'post.delete' | 'leadMagnet.archive';
	readonly id: string;
}

/** Deleting twice does no harm: the second time, the record is not found. */
async function remove(ask: Ask, { get, end, id }: Removing) {
	const deletions = [await ask(end, { id })];
	let after = await ask(get, { id });
	if (!isRefused(after, 404)) {
		deletions.push(await ask(end, { id }));
		after = await ask(get, { id });
	}
	return { deletions, after };
}

async function tryFile(
	ask: Ask,
	mark: string,
	{ upload, left }: { upload: Upload; left: string[] },
): Promise<FileTrial> {
	const contentType = 'image/png';
	const body = { filename: `${mark}.png`, content_type: contentType, file_size: PIXEL.length };
	const address = await ask('media.createUploadUrl', { body });
	const given = recordOf(address);
	const path = given?.path;
	if (given === undefined || typeof path !== 'string') return { address, deletions: [] };
	const storing = await upload(given, PIXEL, contentType).then(
		() => ({ isStored: true }),
		(error: unknown) => ({ isStored: false, status: statusIn(error) }),
	);
	const fields = { [ASSUMED_FIELDS.mediaPath]: path };
	const deletions = [await ask('media.delete', { body: fields })];
	if (isRefused(deletions[0] ?? address))
		deletions.push(await ask('media.delete', { query: fields }));
	if (storing.isStored && !deletions.some(isAnswered)) left.push(`file ${path}`);
	return { address, storing, deletions };
}

const statusIn = (error: unknown): number | undefined => {
	const { facts } = (error ?? {}) as { facts?: { status?: unknown } };
	return typeof facts?.status === 'number' ? facts.status : undefined;
};
