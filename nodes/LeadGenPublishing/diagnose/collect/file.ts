/** The trial of an upload: requests an upload URL, sends one pixel there, and deletes it. */
import { outcomeOf } from '../../api/failure';
import { foreignUrl } from '../../api/foreignUrl';
import { UNUSABLE_UPLOAD_URL } from '../../api/policy';
import type { JsonRecord } from '../../api/schemas';
import type { HttpFunctions } from '../../api/transport';
import type { FileToSend } from '../../api/upload';
import type { FileTrial, Left, Storing } from '../facts';
import { recordOf } from '../records';
import type { Requests } from './requests';
import { statusFrom } from './statusFrom';
import { removeFile } from './tidying';

const PIXEL = Buffer.from(
	'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
	'base64',
);

export interface Upload {
	/** Sends a file to the URL in a media upload result. */
	readonly send: (given: JsonRecord, file: FileToSend) => Promise<void>;
	/** Reads the public URL, without sending the key. */
	readonly functions: HttpFunctions;
	readonly baseUrl: string;
}

interface Bench {
	readonly clientId: string | undefined;
	readonly writer: Requests;
	readonly tidier: Requests;
	readonly isStopped: () => boolean;
	readonly upload: Upload;
}

export async function tryFile(bench: Bench, mark: string, left: Left[]): Promise<FileTrial> {
	const { clientId, writer, tidier, upload } = bench;
	const sent = { filename: `${mark}.png`, content_type: 'image/png', file_size: PIXEL.length };
	const address = await writer.send('media.createUploadUrl', {
		clientId,
		body: sent,
		purpose: 'trial',
	});
	const given = recordOf(address);
	if (given === undefined || bench.isStopped() || !writer.take()) return { sent, address };
	const { path, public_url: publicUrl } = given;
	if (typeof path !== 'string' || path === '') {
		// Without a path, the file could not be deleted again, so it is not uploaded.
		const storing = { kind: 'unusable', lacks: 'path' } as const;
		return { sent, address, storing };
	}
	const storing = await store(upload, given);
	const isStored = storing.kind === 'stored';
	const wasPublic = isStored ? await isPublic(upload, tidier, publicUrl) : undefined;
	const removal = await removeFile(bench, path);
	const isStillPublic = wasPublic ? await isPublic(upload, tidier, publicUrl) : undefined;
	const mayExist = isStored || (storing.kind === 'refused' && storing.status === undefined);
	const isGone = !mayExist || (removal.isGone && isStillPublic !== true);
	if (!isGone) left.push({ what: 'image', name: path, isCertain: isStored });
	const { deletions, isDenied } = removal;
	return {
		sent,
		address,
		storing,
		wasPublic,
		isStillPublic,
		removal: { deletions, isGone, isDenied },
	};
}

async function store({ send }: Upload, given: JsonRecord): Promise<Storing> {
	const open = async (): Promise<Buffer> => await Promise.resolve(PIXEL);
	const file = { size: PIXEL.length, contentType: 'image/png', open };
	const { failure } = await outcomeOf(send(given, file));
	if (failure === undefined) return { kind: 'stored' };
	const { code, status, problem } = failure.facts;
	if (code === UNUSABLE_UPLOAD_URL) return { kind: 'unusable', lacks: 'url', problem };
	return { kind: 'refused', status, problem };
}

const TIMEOUT_MS = 10_000;

/** Undefined if this cannot be checked. */
async function isPublic(
	{ functions, baseUrl }: Upload,
	requests: Requests,
	given: unknown,
): Promise<boolean | undefined> {
	if (typeof given !== 'string') return undefined;
	const checked = foreignUrl(given, { baseUrl, mayBeNear: true });
	if (checked.kind === 'problem' || !requests.take()) return undefined;
	const status = await statusFrom(functions, checked.url.href, TIMEOUT_MS);
	return typeof status === 'number' ? status >= 200 && status < 300 : undefined;
}
