// What a day without news costs, at a poll a minute, its complete checks included.

import { number } from '../cells';
import { quietMinutes, type QuietMinutes } from '../quietMinutes';
import type { Bar, Bench, Table } from '../result';
import { Bare } from '../rivals/bare';

const RECORDS = 2_000;
const DAY = 24 * 60;
const MOST_REQUESTS = 1.1;
/** Of the bytes of three reads at each poll: a page at the head, 10 records at the tail, a page of the check. */
const MOST_OF_THREE_READS = 1 / 4;
const TAIL = 10;

export async function idleDay(bench: Bench): Promise<{ table: Table; bars: Bar[] }> {
	const { service, quick } = bench;
	const minutes = quick ? 60 : DAY;
	bench.note(`${number(RECORDS)} records, ${number(minutes)} polls without news`);
	await service.pull('latency', { ms: 0 });
	const { account, apiKey } = await service.pull('list', { leads: RECORDS });
	const threeReads = await bytesOfThreeReads(bench, apiKey);
	const parameters = { event: 'newLead', watch: 'own' };
	const unknown = await quietMinutes(bench, { apiKey, parameters, minutes });
	const grown = await quietMinutes(bench, {
		...{ apiKey, parameters, minutes },
		atFirst: async () => await service.pull('grow', { account, count: 1 }),
	});
	const rows: Array<[string, QuietMinutes]> = [
		['has shown no news yet', unknown],
		['has shown news at its head', grown],
	];
	const requests = Math.max(unknown.requests, grown.requests);
	const part = Math.max(unknown.bytes, grown.bytes) / threeReads;
	return {
		table: {
			title: `A day without news, ${number(RECORDS)} records, a poll a minute`,
			head: ['a list that', 'polls', 'requests per poll', 'most in one poll', 'bytes per poll'],
			rows: rows.map(([what, { polls, requests, most, bytes }]) => [
				what,
				number(polls),
				requests.toFixed(3),
				number(most),
				number(bytes),
			]),
			notes: [
				`Simulated: the clock is put on a minute between two polls, so the complete checks of the day are in it. A page at the head, ${TAIL} records at the tail and a page of the check, which earlier versions read at every poll, are ${number(threeReads)} bytes.`,
			],
		},
		bars: [
			{
				what: `Idle poll at ${number(RECORDS)} records: requests, averaged over a day at a poll a minute`,
				wanted: `at most ${MOST_REQUESTS}`,
				...(!quick && { figure: requests.toFixed(3), met: requests <= MOST_REQUESTS }),
			},
			{
				what: `Idle poll at ${number(RECORDS)} records: bytes of answers, averaged over that day, ÷ those of two pages and the tail`,
				wanted: `at most ${MOST_OF_THREE_READS}`,
				...(!quick && { figure: part.toFixed(3), met: part <= MOST_OF_THREE_READS }),
			},
		],
	};
}

async function bytesOfThreeReads({ service }: Bench, apiKey: string): Promise<number> {
	const bare = new Bare({ baseUrl: service.baseUrl, apiKey }, 1);
	await service.pull('counted', {});
	for (const offset of [0, RECORDS / 2, RECORDS - TAIL]) {
		await bare.get(`/leads?limit=100&offset=${offset}`);
	}
	await bare.close();
	return (await service.pull('counted', {})).bytes;
}
