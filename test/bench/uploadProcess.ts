// One contender's uploads, measured in a process of its own: memory that one contender has taken
// would hide what the next one takes. Started by sections/upload.ts.

import { createReadStream } from 'node:fs';
import { stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';

import { Container } from '@n8n/di';
import { BinaryDataService, FileLocation } from 'n8n-core';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { request } from 'undici';

import { type BinaryMode, stopInstance, withBinary } from '../support/engine';
import { collectGarbage } from './measure';
import { BARE, HTTP_REQUEST, OURS, OURS_IN_MEMORY } from './names';
import { ours } from './ours';
import { createOne, putFile } from './rivals/httpRequest';
import { n8nNodes } from './rivals/n8nNodes';
import { runSteps } from './rivals/workflow';

export interface UploadAsk {
	contender: string;
	baseUrl: string;
	apiKey: string;
	sizes: number[];
}

export interface UploadTold {
	size: number;
	ms: number;
	/** Highest resident set over that of the idle process, in MB. */
	peakMb: number;
}

const MB = 1024 * 1024;
const ABOUT = { mimeType: 'application/pdf', fileName: 'a.pdf' };
const WARM_UPS = 10;

type Upload = (item: INodeExecutionData, size: number) => Promise<void>;

async function uploadOf({ contender, baseUrl, apiKey }: UploadAsk): Promise<Upload> {
	const question = (size: number) => ({
		filename: ABOUT.fileName,
		content_type: ABOUT.mimeType,
		file_size: size,
	});
	if (contender === OURS || contender === OURS_IN_MEMORY) {
		const { run } = await ours();
		const binaryMode = modeOf(contender);
		const parameters = { resource: 'media', operation: 'upload', binaryPropertyName: 'data' };
		return async (item) =>
			void (await run({ baseUrl, apiKey, parameters, items: [item], binaryMode }));
	}
	if (contender === HTTP_REQUEST) {
		const { types, step, credential } = await n8nNodes();
		const given = { types, credential: credential(apiKey) };
		const url = `${baseUrl}/media/upload-url`;
		return async (item, size) => {
			const parameters = createOne(url, JSON.stringify(question(size)));
			const ask = step('HttpRequest', { name: 'Ask', parameters, credential: true });
			const [[answer] = []] = await runSteps({ ...given, steps: [ask] }, 'Ask');
			const items = [{ ...item, json: (answer?.json.data ?? {}) as IDataObject }];
			const put = step('HttpRequest', {
				name: 'Put',
				parameters: putFile('={{ $json.upload_url }}'),
			});
			await runSteps({ ...given, steps: [put], items }, 'Put');
		};
	}
	if (contender !== BARE) throw new Error(`No contender "${contender}"`);
	return async (_, size) => {
		const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
		const body = JSON.stringify(question(size));
		const asked = await request(`${baseUrl}/media/upload-url`, { method: 'POST', headers, body });
		const { data } = (await asked.body.json()) as { data: { upload_url: string } };
		const sent = await request(data.upload_url, {
			method: 'PUT',
			headers: { 'content-type': ABOUT.mimeType, 'content-length': String(size) },
			body: createReadStream(fileOf(size)),
		});
		await sent.body.dump();
		if (sent.statusCode >= 300) throw new Error(`The storage answered ${sent.statusCode}`);
	};
}

const modeOf = (contender: string): BinaryMode =>
	contender === OURS_IN_MEMORY ? 'default' : 'filesystem';

const fileOf = (size: number): string => join(tmpdir(), `bench-upload-${process.pid}-${size}.pdf`);

/** Written as a stream, so that making the file leaves nothing behind that hides the upload. */
async function pdf(size: number, mode: BinaryMode): Promise<INodeExecutionData> {
	// Has the engine ready, in this mode.
	const item = await withBinary({ json: {} }, { buffer: Buffer.from('%PDF'), ...ABOUT, mode });
	const chunk = Buffer.alloc(64 * 1024, '%PDF');
	const chunks = () => Readable.from(Array.from({ length: size / chunk.length }, () => chunk));
	const location = FileLocation.ofExecution('workflow-under-test', '1000');
	const store = Container.get(BinaryDataService);
	const data = await store.store(location, chunks(), { data: '', ...ABOUT });
	await writeFile(fileOf(size), chunks());
	const { size: written } = await stat(fileOf(size));
	if (written !== size) throw new Error(`The file has ${written} bytes instead of ${size}`);
	return { ...item, binary: { data } };
}

async function measure(
	upload: Upload,
	{ size, mode, idle }: { size: number; mode: BinaryMode; idle: number },
): Promise<UploadTold> {
	const item = await pdf(size, mode);
	await collectGarbage();
	let peak = idle;
	const sample = () => (peak = Math.max(peak, process.memoryUsage.rss()));
	const sampling = setInterval(sample, 1);
	const start = performance.now();
	await upload(item, size);
	const ms = performance.now() - start;
	clearInterval(sampling);
	sample();
	return { size, ms, peakMb: (peak - idle) / MB };
}

async function main(): Promise<void> {
	const ask = JSON.parse(process.argv[2] ?? '') as UploadAsk;
	const upload = await uploadOf(ask);
	const mode = modeOf(ask.contender);
	// What the first run of anything loads and compiles is no cost of the upload.
	for (let round = 0; round < WARM_UPS; round += 1)
		await upload(await pdf(64 * 1024, mode), 64 * 1024);
	await collectGarbage();
	// Once, before there is any big file: what uploads leave behind counts against the later ones.
	const idle = process.memoryUsage.rss();
	const told: UploadTold[] = [];
	for (const size of ask.sizes) told.push(await measure(upload, { size, mode, idle }));
	await stopInstance();
	process.send?.(told);
	process.disconnect();
}

void main();
