// A file of 15 MB through the node: how much memory it takes. Each run is in a process of its own,
// since the memory that one has taken would hide what the next one takes: this file is both, what
// asks (`peaksOf`) and what such a process does.

import { fork } from 'node:child_process';
import { Readable } from 'node:stream';

import { Container } from '@n8n/di';
import { BinaryDataService, FileLocation } from 'n8n-core';
import type { INodeExecutionData } from 'n8n-workflow';

import { stopInstance, withBinary } from '../support/engine';
import { OURS } from './cases';
import { collectGarbage } from './measure';
import { loadedNodes, type Nodes } from './nodes';
import { putFile, request } from './rivals';

const MB = 1024 * 1024;
const SIZE = 15 * MB;
const SMALL = 64 * 1024;
const WARM_UPS = 10;
const ABOUT = { mimeType: 'application/pdf', fileName: 'a.pdf' };

/** Two of its nodes: one asks for the address, one sends the file. */
const HTTP_REQUEST = 'HTTP Request, twice';
const CONTENDERS = [OURS, HTTP_REQUEST];

interface Ask {
	contender: string;
	baseUrl: string;
	apiKey: string;
}

/** The highest resident set over that of the idle process, in MB, of each round. */
export async function peaksOf(
	given: Omit<Ask, 'contender'>,
	rounds: number,
): Promise<Map<string, number[]>> {
	const peaks = new Map<string, number[]>(CONTENDERS.map((name) => [name, []]));
	for (let round = 0; round < rounds; round += 1)
		for (const contender of CONTENDERS) {
			const child = fork(__filename, [JSON.stringify({ ...given, contender })]);
			const peak = await new Promise<number>((resolve, reject) => {
				child.once('message', (message) => resolve(Number(message)));
				child.once('exit', (code) => reject(new Error(`The upload ended with ${code}`)));
			});
			peaks.get(contender)?.push(peak);
		}
	return peaks;
}

async function upload(
	nodes: Nodes,
	{ contender, baseUrl, apiKey, item, size }: Ask & { item: INodeExecutionData; size: number },
): Promise<void> {
	if (contender === OURS) {
		const parameters = { resource: 'media', operation: 'upload', binaryPropertyName: 'data' };
		await nodes.run({
			apiKey,
			items: [item],
			steps: [{ name: 'Upload', node: 'Ours', parameters }],
		});
		return;
	}
	const { fileName: filename, mimeType: content_type } = ABOUT;
	const body = JSON.stringify({ filename, content_type, file_size: size });
	const ask = request(`${baseUrl}/media/upload-url`, { body });
	const [[answer] = []] = await nodes.run({ apiKey, steps: [ask] });
	const url = (answer?.json.data as { upload_url?: string } | undefined)?.upload_url;
	const items = [{ ...item, json: { upload_url: url } }];
	await nodes.run({ apiKey, steps: [putFile('={{ $json.upload_url }}')], items });
}

/** Written as a stream, so that making the file leaves nothing behind that hides the upload. */
async function pdf(size: number): Promise<INodeExecutionData> {
	const mode = 'filesystem';
	const item = await withBinary({ json: {} }, { buffer: Buffer.from('%PDF'), ...ABOUT, mode });
	const chunk = Buffer.alloc(SMALL, '%PDF');
	const chunks = Readable.from(Array.from({ length: size / chunk.length }, () => chunk));
	const location = FileLocation.ofExecution('workflow-under-test', '1000');
	const data = await Container.get(BinaryDataService).store(location, chunks, {
		...{ data: '', ...ABOUT },
	});
	return { ...item, binary: { data } };
}

async function main(ask: Ask): Promise<void> {
	const nodes = await loadedNodes(ask.baseUrl);
	// What the first run of anything loads and compiles is no cost of the upload.
	for (let round = 0; round < WARM_UPS; round += 1)
		await upload(nodes, { ...ask, item: await pdf(SMALL), size: SMALL });
	const item = await pdf(SIZE);
	await collectGarbage();
	const idle = process.memoryUsage.rss();
	let peak = idle;
	const sample = () => (peak = Math.max(peak, process.memoryUsage.rss()));
	const sampling = setInterval(sample, 1);
	await upload(nodes, { ...ask, item, size: SIZE });
	clearInterval(sampling);
	sample();
	await stopInstance();
	process.send?.((peak - idle) / MB);
	process.disconnect();
}

if (process.argv[1] === __filename) void main(JSON.parse(process.argv[2] ?? '') as Ask);
