/** One upload against a script instead of the service and the storage. */
import type { JsonRecord } from '../../nodes/LeadGenPublishing/api/schemas';
import { download } from '../../nodes/LeadGenPublishing/api/download';
import { putFile, readTarget, type FileToSend } from '../../nodes/LeadGenPublishing/api/upload';
import { hostOf } from '../../nodes/LeadGenPublishing/n8n/host';
import { upload } from '../../nodes/LeadGenPublishing/operations/media/upload';
import { itemScene, type ItemReply } from './itemScene';

export const ADDRESS = { upload_url: 'https://storage.example.com/up?token=t', token: 't' };
export const IMAGE = { data: Buffer.from('a file').toString('base64'), mimeType: 'image/png' };

export interface Given {
	readonly parameters?: JsonRecord;
	readonly binary?: Readonly<Record<string, JsonRecord>>;
	/** What the service answers to the request for an address, in turn. */
	readonly answers?: readonly ItemReply[];
	/** What the storage answers, in turn; 200 after that. */
	readonly storage?: ReadonlyArray<{ statusCode: number; headers?: JsonRecord }>;
	readonly maxWaitMs?: number;
	readonly operation?: typeof upload;
	/** What an address answers that the file is fetched from. */
	readonly fetch?: (http: JsonRecord) => Promise<unknown>;
	readonly baseUrl?: string;
	readonly now?: () => number;
}

export function uploading({ parameters, binary, answers, ...given }: Given = {}) {
	const { storage = [], maxWaitMs, operation = upload, fetch } = given;
	const { baseUrl = 'https://api.example.com/v1' } = given;
	const stored: JsonRecord[] = [];
	const left = [...storage];
	const item = itemScene(
		{ binaryPropertyName: 'data', ...parameters },
		{
			answers: { 'media.createUploadUrl': answers ?? [ADDRESS] },
			maxWaitMs,
			functions: {
				getInputData: () => [{ json: {}, binary: binary ?? { data: IMAGE } }],
				getCredentials: async () => await Promise.resolve({ baseUrl, apiKey: 'the-key' }),
				helpers: {
					httpRequest: async (http: JsonRecord) => {
						if (fetch !== undefined && http.method !== 'PUT') return await fetch(http);
						stored.push(http);
						return await Promise.resolve({ headers: {}, ...(left.shift() ?? { statusCode: 200 }) });
					},
				},
			},
		},
	);
	const { api } = item.call;
	const host = hostOf(item.call.functions);
	const now = given.now ?? api.now;
	const call = {
		...item.call,
		api: {
			...api,
			now,
			upload: async (target: JsonRecord, file: FileToSend) =>
				await putFile(host, { target: readTarget(target, { baseUrl }), file, agency: false }),
			download: async (wanted: Parameters<typeof api.download>[0]) =>
				await download(host, { ...wanted, baseUrl, now }),
		},
	};
	return { ...item, stored, run: async () => await operation.run(call) };
}
