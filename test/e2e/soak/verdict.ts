// Whether it went on as it began: what it holds does not grow, and every lead has arrived once.

import { compare } from '../../../scripts/demo/ledger';
import { median } from '../../bench/measure';
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

const GROWTH = { heap: 1.1, state: 1.1, requests: 1.2, sockets: 5 };

/** What must hold at the end; without a figure nothing is said. */
export interface Bar {
	what: string;
	wanted: string;
	figure?: string;
	met?: boolean;
}

export interface Arrived {
	leads: number;
	rows: number;
	missing: number;
	/** Rows that no lead explains, or a second one for a lead. */
	surplus: number;
	/**
	 * Executions of the trigger's workflow that failed, without those that a kill has cut short, and
	 * without reports.
	 */
	failed: number;
	/** Polls without items that told which lists the faults had kept them from reading. */
	reports: number;
}

export async function arrived({ api, clients, table, workflow }: Scene): Promise<Arrived> {
	const keys = clients.flatMap(({ id, leads }) => leads.toArray().map((one) => `${id} ${one.id}`));
	const leads = new Map(keys.map((key) => [key, {}]));
	const { expected, found, missing, surplus } = compare(
		...(['leads of clients', leads, await api.rows(table)] as const),
		({ client_id, lead_id }) => [client_id, lead_id],
	);
	const problems: string[] = [];
	for (const { id } of await api.executions({ workflowId: workflow.id, status: ['error'] })) {
		problems.push((await api.execution(id)).problem);
	}
	const reports = problems.filter((problem) => REPORT.test(problem)).length;
	return {
		...{ leads: expected, rows: found, missing: missing.length, surplus: surplus.length },
		failed: problems.length - reports,
		reports,
	};
}

export function barsOf(samples: readonly Sample[], found: Arrived): Bar[] {
	const end = samples.at(-1)?.at ?? 0;
	const within = ([from, to]: readonly [number, number]) =>
		samples.filter(({ at }) => at >= from * end && at <= to * end);
	const [early, late] = [within(EARLY), within(LATE)];
	const judged = early.length >= ENOUGH && late.length >= ENOUGH;
	const none = (what: string, figure: number): Bar => ({
		...{ what, wanted: '0', figure: String(figure), met: figure === 0 },
	});
	const change = (what: string, of: (sample: Sample) => number, most: number): Bar => {
		const ratio = median(late.map(of)) / median(early.map(of));
		const wanted = `at most ${most} times`;
		return judged
			? { what, wanted, figure: ratio.toFixed(2), met: ratio <= most }
			: { what, wanted };
	};
	const more =
		median(late.map(({ sockets }) => sockets)) - median(early.map(({ sockets }) => sockets));
	const sockets = { what: 'open sockets, late beyond early', wanted: `at most ${GROWTH.sockets}` };
	return [
		change('heap of n8n after a garbage collection, late ÷ early', ({ heap }) => heap, GROWTH.heap),
		judged ? { ...sockets, figure: String(more), met: more <= GROWTH.sockets } : sockets,
		change('state per lead, late ÷ early', ({ state, leads }) => state / leads, GROWTH.state),
		change('requests per minute, late ÷ early', (one) => one.requestsPerMinute, GROWTH.requests),
		none('leads missing in the table', found.missing),
		none('rows too many in the table', found.surplus),
		none('executions of the trigger that failed, but for reports', found.failed),
	];
}
