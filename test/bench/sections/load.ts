// What the package costs before it does anything: requiring it, and its size.

import { createRequire } from 'node:module';
import { join } from 'node:path';

import manifest from '../../../package.json';
import { ROOT } from '../../../scripts/n8n/folders';
import { packedSize, packPackage } from '../../../scripts/n8n/package';
import { number, times } from '../cells';
import { printed } from '../freshProcess';
import { median } from '../measure';
import { HTTP_REQUEST, OURS } from '../names';
import type { Bench, Section } from '../result';
import { HTTP_REQUEST_FILE } from '../rivals/n8nNodes';

/** 20 ms on a machine that takes 286 ms for n8n-workflow, whatever else the machine has to do. */
const BAR_SHARE = 0.07;
const BAR_BYTES = 105_000;

interface Loading {
	/** Of n8n-workflow, which n8n has loaded anyway. */
	base: number;
	ms: number;
	heapKb: number;
	rssKb: number;
}

export async function loadSection(bench: Bench): Promise<Section> {
	bench.note('requiring the nodes in fresh processes');
	const files = manifest.n8n.nodes.map((file) => join(ROOT, file));
	const ours: Loading[] = [];
	const theirs: Loading[] = [];
	for (let round = 0; round < Math.max(5, bench.rounds); round += 1) {
		const mine = async () => ours.push(await printed<Loading>(scriptFor(files)));
		const other = async () => theirs.push(await printed<Loading>(scriptFor([HTTP_REQUEST_FILE])));
		for (const load of round % 2 === 0 ? [mine, other] : [other, mine]) await load();
	}
	bench.note('packing');
	const size = packedSize(await packPackage());
	const row = (name: string, loadings: Loading[]): string[] => [
		name,
		of(loadings, 'base'),
		`${of(loadings, 'ms')} (${range(loadings)})`,
		of(loadings, 'heapKb'),
		of(loadings, 'rssKb'),
	];
	const shares = ours.map(({ ms, base }) => ms / base);
	const share = median(shares);
	return {
		title: 'Load',
		about: ['Each in a process of its own, the files being in the cache of the system.'],
		tables: [
			{
				title: `Requiring, medians of ${ours.length}`,
				head: ['what', 'n8n-workflow, ms', 'beyond it, ms', 'heap, kB', 'resident, kB'],
				rows: [row(`${OURS}, both nodes`, ours), row(`${HTTP_REQUEST} of n8n-nodes-base`, theirs)],
			},
		],
		bars: [
			{
				what: 'Requiring both nodes: time ÷ that of n8n-workflow, which n8n has required before',
				wanted: `at most ${BAR_SHARE}`,
				figure: `${times(share)} (${times(Math.min(...shares))}–${times(Math.max(...shares))}, ${ours.length} runs)`,
				met: share <= BAR_SHARE,
			},
			{
				what: 'Size of the tarball',
				wanted: `at most ${number(BAR_BYTES / 1000)} kB`,
				figure: `${(size / 1000).toFixed(1)} kB`,
				met: size <= BAR_BYTES,
			},
		],
		curves: [],
	};
}

const of = (loadings: Loading[], key: keyof Loading): string =>
	number(median(loadings.map((loading) => loading[key])));

const range = (loadings: Loading[]): string => {
	const all = loadings.map(({ ms }) => ms);
	return `${number(Math.min(...all))}–${number(Math.max(...all))}`;
};

/** n8n-workflow is the one that the files themselves would get. */
function scriptFor(files: string[]): string {
	const workflow = createRequire(files[0] ?? ROOT).resolve('n8n-workflow');
	return `
		const at = () => { gc(); gc(); return process.memoryUsage(); };
		const start = performance.now();
		require(${JSON.stringify(workflow)});
		const base = performance.now() - start;
		const before = at();
		const loading = performance.now();
		for (const file of ${JSON.stringify(files)})
			for (const Type of Object.values(require(file))) new Type();
		const ms = performance.now() - loading;
		const after = at();
		console.log(JSON.stringify({
			base, ms,
			heapKb: (after.heapUsed - before.heapUsed) / 1024,
			rssKb: (after.rss - before.rss) / 1024,
		}));
	`;
}
