/** `npm run simulate`: many histories, one table. `tsx test/watch/simulate.ts [histories] [from]` */
import { MODES } from './host';
import { playHistory, type Tally } from './history';
import { ORDERS } from './played-list';

const histories = Number(process.argv[2] ?? 100_000);
const from = Number(process.argv[3] ?? 1);

type Sums = Record<string, number>;

const ADDED = [
	'delivered',
	'missed',
	'twice',
	'late',
	'falselyNew',
	'gapMissed',
	'gapTwice',
	'inFlight',
	'rebaselined',
	'requests',
	'idleRequests',
	'idlePolls',
	'stateChars',
	'remembered',
] as const;

function add(sums: Sums, tally: Tally): void {
	sums.histories = (sums.histories ?? 0) + 1;
	for (const name of ADDED) sums[name] = (sums[name] ?? 0) + tally[name];
}

function row(sums: Sums): Record<string, number> {
	const of = (name: string): number => sums[name] ?? 0;
	const ratio = (top: string, bottom: string): number =>
		Math.round((100 * of(top)) / Math.max(1, of(bottom))) / 100;
	return {
		histories: of('histories'),
		delivered: of('delivered'),
		missed: of('missed'),
		twice: of('twice'),
		late: of('late'),
		'falsely new': of('falselyNew'),
		'gap missed': of('gapMissed'),
		'gap twice': of('gapTwice'),
		'in flight': of('inFlight'),
		'unstored scan': of('rebaselined'),
		'req/idle poll': ratio('idleRequests', 'idlePolls'),
		'req/delivered': ratio('requests', 'delivered'),
		'chars/record': ratio('stateChars', 'remembered'),
	};
}

async function main(): Promise<void> {
	const table = new Map<string, Sums>();
	for (const order of ORDERS) for (const mode of MODES) table.set(`${order} ${mode}`, {});
	const started = Date.now();
	let bad = 0;
	for (let seed = from; seed < from + histories; seed++) {
		const tally = await playHistory(seed).catch((error: unknown) => {
			if (++bad <= 20)
				console.error(`seed ${seed}:`, error instanceof Error ? error.message : error);
			return undefined;
		});
		if (tally === undefined) continue;
		add(table.get(`${tally.order} ${tally.mode}`) ?? {}, tally);
		if (tally.missed + tally.twice + tally.late > 0) {
			bad++;
			if (bad <= 20) console.error('failed', JSON.stringify(tally));
		}
	}
	console.table(Object.fromEntries([...table].map(([name, sums]) => [name, row(sums)])));
	console.log(`${histories} histories from seed ${from}, ${bad} bad, ${Date.now() - started} ms`);
	process.exitCode = bad > 0 ? 1 : 0;
}

void main();
