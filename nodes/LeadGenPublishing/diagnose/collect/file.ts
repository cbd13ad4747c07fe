/** The trial of an upload: asks for an address, sends one pixel there, and deletes it. */
import { foreignAddress } from '../../api/addresses';
import { ApiFailure, InputError } from '../../api/failure';
import type { JsonRecord } from '../../api/schemas';
import { transmit, type HttpFunctions } from '../../api/transport';
import type { FileToSend } from '../../api/upload';
import type { FileTrial, Left, Storing } from '../facts';
import { recordOf } from '../records';
import type { Requests } from './requests';
import { removeFile } from './tidying';

const PIXEL = Buffer.from(
	'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
	'base64',
);

export interface Upload {
	/** Sends a file to the address in a media upload result. */
	readonly send: (given: JsonRecord, file: FileToSend) => Promise<void>;
	/** For a look at the public URL, which gets no key. */
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
		// What cannot be deleted again is not uploaded.
		const storing = { kind: 'noAddress', seen: 'no path' } as const;
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
	try {
		await send(given, file);
		return { kind: 'stored' };
	} catch (error) {
		if (error instanceof InputError) return { kind: 'noAddress', seen: error.message };
		if (!(error instanceof ApiFailure)) return { kind: 'refused', seen: 'no usable response' };
		const { status, seen } = error.facts;
		return { kind: 'refused', status, seen: status ? `HTTP ${status}` : (seen ?? 'no response') };
	}
}

const TIMEOUT_MS = 10_000;

/** Undefined if it cannot be seen. */
async function isPublic(
	{ functions, baseUrl }: Upload,
	requests: Requests,
	given: unknown,
): Promise<boolean | undefined> {
	const url = typeof given === 'string' ? foreignAddress(given, { baseUrl, mayBeNear: true }) : '';
	if (typeof url === 'string' || !requests.take()) return undefined;
	const request = { method: 'GET', url: url.href } as const;
	try {
		const limits = { withKey: false, timeoutMs: TIMEOUT_MS, secrets: [] };
		const came = await transmit(functions, request, limits);
		return 'status' in came ? came.status >= 200 && came.status < 300 : undefined;
	} catch {
		return undefined;
	}
}
