// The samples as lines.

import { aligned, say } from '../../../scripts/n8n/progress';
import type { Sample } from './samples';
import type { Trouble } from './trouble';
import type { Arrived, Bar } from './verdict';

const LINES = 12;
const MB = 1_000_000;

export function report(given: {
	samples: readonly Sample[];
	bars: readonly Bar[];
	found: Arrived;
	happened: Trouble;
	restarts: ReadonlyArray<{ at: number; how: string }>;
}): void {
	const { samples, bars, found, happened, restarts } = given;
	const every = Math.max(1, Math.floor(samples.length / LINES));
	const shown = samples.filter((_, place) => (samples.length - 1 - place) % every === 0);
	const right = (cell: string, width: number) => cell.padStart(width);
	say();
	const head = ['minute', 'heap MB', 'RSS MB', 'sockets', 'state kB', 'leads', 'requests/min'];
	const rows = shown.map(({ at, heap, rss, sockets, state, leads, requestsPerMinute }) => [
		at.toFixed(0),
		(heap / MB).toFixed(1),
		(rss / MB).toFixed(0),
		String(sockets),
		(state / 1_000).toFixed(1),
		String(leads),
		requestsPerMinute.toFixed(0),
	]);
	for (const line of aligned([head, ...rows], right)) say(line);
	say();
	for (const { at, how } of restarts) say(`minute ${at.toFixed(0)}: n8n ${how}, and started again`);
	const faults = [...happened.faults].sort(([, one], [, other]) => other - one);
	say(`faults: ${faults.map(([name, times]) => `${times} × ${name}`).join(', ')}`);
	say(`leads: ${happened.leads} came meanwhile, ${found.leads} in the service, ${found.rows} rows`);
	say(`reports: ${found.reports} of lists that could not be read, by polls without items`);
	say();
	const result = ({ met }: Bar) => (met === undefined ? 'not judged' : met ? 'met' : 'NOT MET');
	const lines = bars.map((bar) => [bar.what, bar.wanted, bar.figure ?? '–', result(bar)]);
	for (const line of aligned([['bar', 'wanted', 'measured', ''], ...lines])) say(line);
}
