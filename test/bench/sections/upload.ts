// A file through the node: how much memory it takes, and how long.

import { join } from 'node:path';

import { number } from '../cells';
import { told } from '../freshProcess';
import { median } from '../measure';
import { BARE, HTTP_REQUEST, OURS, OURS_IN_MEMORY } from '../names';
import type { Bench, Section } from '../result';
import type { UploadAsk, UploadTold } from '../uploadProcess';

const MB = 1024 * 1024;
const SIZES = [5 * MB, 15 * MB];
const NAMES = [OURS, HTTP_REQUEST, BARE, OURS_IN_MEMORY];
const PROCESS = join(__dirname, '..', 'uploadProcess.ts');

export async function uploadSection(bench: Bench): Promise<Section> {
	const { service, rounds } = bench;
	await service.pull('latency', { ms: 0 });
	const { apiKey } = await service.pull('posts', { count: 0 });
	const all: Array<UploadTold & { name: string }> = [];
	for (let round = 0; round < rounds; round += 1) {
		bench.note(`round ${round + 1} of ${rounds}`);
		for (const contender of round % 2 === 0 ? NAMES : [...NAMES].reverse()) {
			const ask: UploadAsk = { contender, baseUrl: service.baseUrl, apiKey, sizes: SIZES };
			const uploads = await told<UploadTold[]>(PROCESS, [JSON.stringify(ask)]);
			all.push(...uploads.map((upload) => ({ ...upload, name: contender })));
		}
	}
	const cell = (name: string, size: number, key: 'ms' | 'peakMb'): string => {
		const values = all
			.filter((one) => one.name === name && one.size === size)
			.map((one) => one[key]);
		return `${number(median(values))} (${number(Math.min(...values))}–${number(Math.max(...values))})`;
	};
	return {
		title: 'Upload',
		about: [
			'A PDF, with n8n keeping files beside the items. HTTP Request takes two of its nodes: one asks for the address, one sends the file; the Merge node that brings file and address together is left out. Each run in a process of its own, after ten small uploads; memory is the highest resident set over that of the idle process. The last contender runs where n8n keeps files in memory, inside the items; what the item itself holds counts as well.',
		],
		tables: [
			{
				title: `Medians of ${rounds} (min–max)`,
				head: ['size', ...NAMES.flatMap((name) => [`${name}, peak MB`, `${name}, ms`])],
				rows: SIZES.map((size) => [
					`${size / MB} MB`,
					...NAMES.flatMap((name) => [cell(name, size, 'peakMb'), cell(name, size, 'ms')]),
				]),
			},
		],
		bars: [],
		curves: [],
	};
}
