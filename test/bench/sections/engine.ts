// The trigger's engine by itself, without n8n and HTTP: what a poll asks for wherever the news
// stand, what a record costs in state, and what a poll computes against parsing a list of ids.

import { rulesFor } from '../../../nodes/LeadGenPublishing/watch/events';
import { pollOnce, scannedState, serve, uuids } from '../../watch/pollHelpers';
import { number } from '../cells';
import { median } from '../measure';
import type { Bar, Bench, Section, Table } from '../result';

const ANNOUNCEMENTS = [1, 10, 100, 1_000];
const LARGEST = 100_000;

export async function engineSection({ quick, note }: Bench): Promise<Section> {
	const sizes = quick ? [99, 2_000] : [99, 2_000, 10_000, LARGEST];
	note('requests');
	const { table, bars } = await requestsTable(sizes);
	note('computing');
	return {
		title: 'The engine of the trigger alone',
		about: ['Without n8n and HTTP, from the sources.'],
		tables: [table, await computingTable(quick ? 10_000 : LARGEST, quick ? 10 : 60)],
		bars,
		curves: [],
	};
}

async function requestsTable(sizes: readonly number[]): Promise<{ table: Table; bars: Bar[] }> {
	const rows: string[][] = [];
	const bars: Bar[] = [];
	for (const size of sizes) {
		const known = uuids(size);
		const state = scannedState(known);
		const asked = async (ids: string[]) => (await pollOnce(state, serve(ids))).requests;
		const row = [number(size), number(await asked(known))];
		for (const count of ANNOUNCEMENTS) {
			const news = uuids(count, 99);
			const head = await asked([...news, ...known]);
			row.push(`${head} / ${await asked([...known, ...news])}`);
		}
		const changing = scannedState(known, { rules: rulesFor('leadChanged', {}) });
		const perRecord = (value: unknown): number => JSON.stringify(value).length / size;
		rows.push([...row, perRecord(state).toFixed(2), perRecord(changing).toFixed(2)]);
		if (size === LARGEST) bars.push(stateBar(perRecord(state)));
	}
	const table = {
		title: 'Requests per poll, news at the head / at the tail, and state',
		head: [
			'records',
			'idle',
			...ANNOUNCEMENTS.map((count) => `${number(count)} new`),
			'characters per record',
			'with fingerprint',
		],
		rows,
		notes: ['With fingerprint: the event "Lead Changed".'],
	};
	return { table, bars };
}

const stateBar = (characters: number): Bar => ({
	what: `State at ${number(LARGEST)} records, without fingerprints: characters per record`,
	wanted: 'at most 10',
	figure: characters.toFixed(2),
	met: characters <= 10,
});

async function computingTable(size: number, rounds: number): Promise<Table> {
	const ids = uuids(size);
	const plain = JSON.stringify(ids);
	const text = JSON.stringify(scannedState(ids));
	const poll = async (fetchPage: ReturnType<typeof serve>) =>
		await pollOnce(JSON.parse(text), fetchPage);
	const idle = serve(ids);
	const busy = serve([...uuids(10, 9), ...ids]);
	const time = async (work: () => unknown): Promise<number> => {
		const times: number[] = [];
		for (let round = 0; round < rounds; round += 1) {
			const start = performance.now();
			await work();
			times.push(performance.now() - start);
		}
		// The first third warms up.
		return median(times.slice(rounds / 3));
	};
	const parsing = await time(() => JSON.parse(plain) as string[]);
	const rows = [
		{ what: `JSON.parse of the ids (${number(plain.length)} characters)`, ms: parsing },
		{
			what: `idle poll, from the stored text (${number(text.length)} characters) to the decision`,
			ms: await time(async () => await poll(idle)),
		},
		{
			what: 'poll with 10 new, to the new stored text',
			ms: await time(async () => JSON.stringify((await poll(busy)).state)),
		},
	];
	return {
		title: `Computing at ${number(size)} records`,
		head: ['what', 'ms', '÷ JSON.parse of the ids'],
		rows: rows.map(({ what, ms }) => [what, ms.toFixed(2), (ms / parsing).toFixed(2)]),
	};
}
