// Whether it went on as it began: what it holds does not grow, and every lead has arrived once.

import { compare } from '../../scripts/demo/ledger';
import { median } from '../bench/measure';
import type { Held } from './inspector';
import type { Scene } from './scene';

export interface Sample extends Held {
	/** Minutes since the beginning. */
	at: number;
	/** Characters of the trigger's state. */
	state: number;
	leads: number;
	requestsPerMinute: number;
}

/** Shares of the whole time. n8n is started again before the first one, and never after that. */
const EARLY = [0.45, 0.6] as const;
const LATE = [0.85, 1] as const;
/** With fewer samples in each, nothing is said about growth. */
const ENOUGH = 4;

/**
 * What a poll without items says of lists that it could not read, as the faults of this run ask for: of
 * one, of the list of clients, or of several, each by the client's name and ID.
 */
const REPORT = /^The (leads of .+|list of clients) could not be read|^[^(]+ \([0-9a-f-]{36}\): /;

/** What must hold at the end; without a figure nothing is said. */
export interface Bar {
	what: string;
	atMost: number;
	figure?: number;
}

export const isMet = ({ figure = 0, atMost }: Bar): boolean => figure <= atMost;

export interface Arrived {
	leads: number;
	rows: number;
	/** Polls without items that told which lists the faults had kept them from reading. */
	reports: number;
	bars: Bar[];
}

export async function arrived({ api, clients, table, workflow }: Scene): Promise<Arrived> {
	const keys = clients.flatMap(({ id, leads }) => leads.toArray().map((one) => `${id} ${one.id}`));
	const leads = new Map(keys.map((key) => [key, {}]));
	const { expected, found, missing, surplus } = compare(
		...(['leads of clients', leads, await api.rows(table)] as const),
		({ client_id, lead_id }) => [client_id, lead_id],
	);
	// Without those that a kill has cut short.
	const problems: string[] = [];
	for (const { id } of await api.executions({ workflowId: workflow.id, status: ['error'] }))
		problems.push((await api.execution(id)).problem);
	const reports = problems.filter((problem) => REPORT.test(problem)).length;
	const failed = problems.length - reports;
	const bars = [
		{ what: 'leads missing in the table', atMost: 0, figure: missing.length },
		{ what: 'rows too many in the table', atMost: 0, figure: surplus.length },
		{ what: 'executions of the trigger that failed, but for reports', atMost: 0, figure: failed },
	];
	return { leads: expected, rows: found, reports, bars };
}

/** What must not grow, late beside early. */
export function growthIn(samples: readonly Sample[]): Bar[] {
	const end = samples.at(-1)?.at ?? 0;
	const [early, late] = [EARLY, LATE].map(([from, to]) =>
		samples.filter(({ at }) => at >= from * end && at <= to * end),
	) as [Sample[], Sample[]];
	const isEnough = Math.min(early.length, late.length) >= ENOUGH;
	const change = (
		what: string,
		of: (sample: Sample) => number,
		atMost: number,
		compared = (one: number, other: number) => one / other,
	): Bar => {
		const figure = compared(median(late.map(of)), median(early.map(of)));
		return { what, atMost, ...(isEnough && { figure }) };
	};
	return [
		change('heap of n8n after a garbage collection, late ÷ early', ({ heap }) => heap, 1.1),
		change(
			'open sockets, late − early',
			({ sockets }) => sockets,
			5,
			(one, other) => one - other,
		),
		change('state per lead, late ÷ early', ({ state, leads }) => state / leads, 1.1),
		change('requests per minute, late ÷ early', (one) => one.requestsPerMinute, 1.2),
	];
}
