/**
 * What the upload of a 15 MB PDF costs in memory, on n8n's engine, with the service in a process
 * of its own: the highest resident set during the upload over that of the idle engine. The bar is
 * 20 MB where n8n keeps files beside the items. `tsx test/bench/upload-memory.ts`
 */
import { fork, type ChildProcess } from 'node:child_process';
import { Readable } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { Container } from '@n8n/di';
import { BinaryDataService, FileLocation } from 'n8n-core';
import type { INodeExecutionData } from 'n8n-workflow';

import { LeadGenPublishingApi } from '../../credentials/LeadGenPublishingApi.credentials';
// With its extension: the codex file beside it has the same name but for that.
import { LeadGenPublishing } from '../../nodes/LeadGenPublishing/LeadGenPublishing.node.js';
import { startService } from '../service/index';
import { runNode, stopInstance, withBinary, type BinaryMode } from '../support/engine';

const SIZE = 15 * 1024 * 1024;
const BAR_MB = 20;
const ROUNDS = 5;
const MB = 1024 * 1024;

interface Address {
	baseUrl: string;
	apiKey: string;
}

async function play(): Promise<void> {
	const service = await startService();
	const address: Address = { baseUrl: service.baseUrl, apiKey: service.world.keys.own };
	process.send?.(address);
	process.once('message', () => void service.close().then(() => process.disconnect()));
}

async function inAnotherProcess(): Promise<{ child: ChildProcess; address: Address }> {
	const child = fork(__filename, ['service']);
	const address = await new Promise<Address>((resolve, reject) => {
		child.once('message', (message) => resolve(message as Address));
		child.once('exit', () => reject(new Error('The service did not start')));
	});
	return { child, address };
}

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

async function settle(): Promise<number> {
	for (let round = 0; round < 3; round += 1) {
		collect();
		await new Promise((resolve) => setTimeout(resolve, 100));
	}
	return process.memoryUsage.rss();
}

async function upload(address: Address, items: INodeExecutionData[], mode: BinaryMode) {
	const run = await runNode({
		node: LeadGenPublishing,
		credentialType: LeadGenPublishingApi,
		credentials: { ...address },
		parameters: { resource: 'media', operation: 'upload', binaryPropertyName: 'data' },
		items,
		binaryMode: mode,
	});
	if (run.error !== undefined) throw new Error(run.error.message);
	return Number(run.outputs[0]?.[0]?.json.size);
}

/** Written as a stream, so that making the file leaves nothing behind that hides the upload. */
async function pdf(size: number, mode: BinaryMode): Promise<INodeExecutionData> {
	const about = { mimeType: 'application/pdf', fileName: 'a.pdf' };
	// Has the engine ready, in this mode.
	const item = await withBinary({ json: {} }, { buffer: Buffer.from('%PDF'), ...about, mode });
	const chunk = Buffer.alloc(64 * 1024, '%PDF');
	const chunks = Readable.from(Array.from({ length: size / chunk.length }, () => chunk));
	const location = FileLocation.ofExecution('workflow-under-test', '1000');
	const data = await Container.get(BinaryDataService).store(location, chunks, {
		data: '',
		...about,
	});
	return { ...item, binary: { data } };
}

/** MB over idle, the highest of the samples of one upload. */
async function measure(address: Address, mode: BinaryMode, idle: number): Promise<number> {
	const item = await pdf(SIZE, mode);
	await settle();
	let peak = idle;
	const sampling = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 1);
	const size = await upload(address, [item], mode);
	clearInterval(sampling);
	if (size !== SIZE) throw new Error(`Uploaded ${size} bytes instead of ${SIZE}`);
	return (Math.max(peak, process.memoryUsage.rss()) - idle) / MB;
}

async function main(): Promise<void> {
	const { child, address } = await inAnotherProcess();
	// What the first run of anything loads and compiles is no cost of the upload.
	for (let round = 0; round < 20; round += 1)
		await upload(address, [await pdf(64 * 1024, 'filesystem')], 'filesystem');
	// Once, before there is any big file: what uploads leave behind counts against the later ones.
	const idle = await settle();
	for (const mode of ['filesystem', 'default'] as const) {
		const rounds: number[] = [];
		for (let round = 0; round < ROUNDS; round += 1) rounds.push(await measure(address, mode, idle));
		const worst = Math.max(...rounds);
		const bar = mode === 'filesystem' ? `, bar ${BAR_MB} MB` : ', for comparison';
		console.log(
			`upload of a 15 MB PDF, "${mode}": ${worst.toFixed(1)} MB over idle at worst${bar} (${rounds.map((mb) => mb.toFixed(1)).join(', ')})`,
		);
		if (mode === 'filesystem' && worst > BAR_MB) process.exitCode = 1;
	}
	child.send('stop');
	await stopInstance();
}

void (process.argv[2] === 'service' ? play() : main());
