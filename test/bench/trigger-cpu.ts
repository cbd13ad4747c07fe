/**
 * What an idle poll at 100,000 remembered records costs in computing, from stored text to decision,
 * against `JSON.parse` on the plain list of ids that it replaces. `tsx test/bench/trigger-cpu.ts`
 */
import type { WatchState } from '../../nodes/LeadGenPublishing/watch/state';
import { beginPoll, freshMemory } from '../../nodes/LeadGenPublishing/watch/memory';
import { pollOnce, scannedState, serve, uuids } from '../watch/settled';

const SIZE = 100_000;
const ROUNDS = 60;

const median = (values: number[]): number =>
	[...values].sort((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0;

async function time(work: () => unknown): Promise<number> {
	const times: number[] = [];
	for (let round = 0; round < ROUNDS; round++) {
		const started = performance.now();
		await work();
		times.push(performance.now() - started);
	}
	return median(times.slice(ROUNDS / 3));
}

async function main(): Promise<void> {
	const ids = uuids(SIZE);
	const plain = JSON.stringify(ids);
	const text = JSON.stringify(scannedState(ids));
	const idle = serve(ids);
	const fresh = uuids(10, 9);
	const busy = serve([...fresh, ...ids]);
	const poll = async (fetchPage: typeof idle) => {
		const start = beginPoll(freshMemory(), {
			stored: JSON.parse(text) as WatchState,
			now: 0,
			until: 1,
			line: 'line',
		});
		if (start === undefined) throw new Error('busy');
		return await pollOnce(start.state, fetchPage);
	};
	const parse = await time(() => JSON.parse(plain) as string[]);
	const quiet = await time(() => poll(idle));
	const delivering = await time(async () => JSON.stringify((await poll(busy)).state));
	const show = (name: string, ms: number): void =>
		console.log(`${name.padEnd(44)} ${ms.toFixed(2)} ms  ratio ${(ms / parse).toFixed(2)}`);
	console.log(`${SIZE} records: ${plain.length} characters plain, ${text.length} ours`);
	show('JSON.parse of the plain list', parse);
	show('idle poll, from stored text to decision', quiet);
	show('poll with 10 new, to the new stored text', delivering);
}

void main();
