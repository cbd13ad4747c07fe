// What should be in the tables, what is, and how often each record was delivered.

import type { Activity, Lead, FakeService } from '../../fake-service';
import type { JsonRecord } from '../n8n/n8nApi';
import { CONFIRMED_AFTER_MS } from '../../nodes/LeadGenPublishing/feed/memory/redelivery';
import { until } from '../n8n/waiting';
import { KEYWORD } from './life';
import type { Demo } from './furnishN8n';

export interface Comparison {
	what: string;
	/** Records in the service. */
	expected: number;
	/** Rows in the table. */
	found: number;
	missing: string[];
	/** Rows that no record of the service explains, or a second row for one. */
	surplus: string[];
	different: string[];
}

export interface Deliveries {
	/** Executions that a trigger started. */
	executions: number;
	failed: string[];
	items: number;
	/** Records that a trigger delivered more than once. */
	twice: string[];
	/**
	 * What came last from each trigger: what may come again after a restart. Batches that come one
	 * soon after the other are marked together.
	 */
	last: Set<string>;
}

type Rows = Map<string, JsonRecord>;

/** From the start of a poll to the start of its execution, on a busy machine. */
const POLL_MS = 2_000;

const LEAD_TRIGGERS = {
	'new-leads-to-crm': 'New Lead',
	'all-clients-new-leads': 'New Lead of a Client',
	'keyword-comments': 'New Comment',
} as const;

/** What is there before a trigger starts does not count as new. */
export const activityIds = (demo: Demo): Set<string> =>
	new Set(watchedActivity(demo).map(({ id }) => id));

const watchedActivity = ({ service: { world } }: Demo): Activity[] =>
	[world.own, world.clientA, world.clientB, world.clientC].flatMap(({ activity }) =>
		activity.toArray(),
	);

export async function compareTables(
	demo: Demo,
	before: ReadonlySet<string>,
): Promise<Comparison[]> {
	const { api, service, tables } = demo;
	const { world } = service;
	const isWanted = ({ id, source, keyword }: Activity) =>
		source === 'comment' && keyword === KEYWORD && !before.has(id);
	const comments = watchedActivity(demo).filter(isWanted);
	const expectedComments = new Map(comments.map((one) => [one.id, commentRow(one)]));
	return [
		compareLeads('own leads', world.own.leads.toArray(), await api.rows(tables.own)),
		compare(
			'leads of clients',
			clientRows(service),
			await api.rows(tables.clients),
			({ client_id, profile_url }) => [client_id, profile_url],
		),
		compare(
			'comments with the keyword',
			expectedComments,
			await api.rows(tables.comments),
			({ activity_id }) => [activity_id],
		),
	];
}

/** The same, once nothing is missing any more, or nothing comes any more. */
export const caughtUp = async (demo: Demo, before: ReadonlySet<string>): Promise<Comparison[]> =>
	await until(() => compareTables(demo, before), {
		isEnough: (tables) => tables.every(({ missing }) => missing.length === 0),
		everyMs: 1_000,
	});

export const inWords = ({ found, missing, surplus, different }: Comparison): string =>
	`${found} rows; ${missing.length} missing, ${surplus.length} too many, ${different.length} different`;

export const agrees = ({ missing, surplus, different }: Comparison): boolean =>
	missing.length + surplus.length + different.length === 0;

function clientRows({ world }: FakeService): Rows {
	const clients = [world.clientA, world.clientB, world.clientC];
	return new Map(
		clients.flatMap((client) =>
			client.leads
				.toArray()
				.map((lead): [string, JsonRecord] => [
					`${client.id} ${lead.network_profile_url}`,
					{ client_id: client.id, client_name: client.fullName, ...leadRow(lead) },
				]),
		),
	);
}

/** What the example workflows store of a lead. */
function leadRow(lead: Lead): JsonRecord {
	const { work, submitted, personal } = lead.emails;
	return {
		profile_url: lead.network_profile_url,
		lead_id: lead.id,
		name: lead.name,
		email: work ?? submitted ?? personal,
		keyword: lead.latest_keyword,
		has_intent: lead.has_intent,
		qualification_status: lead.qualification_status,
	};
}

const commentRow = (comment: Activity): JsonRecord => ({
	activity_id: comment.id,
	author: comment.author_name,
	profile_url: comment.author_profile_url,
	keyword: comment.keyword,
	content: comment.content,
});

/** Rows that the example workflows have stored. */
export function compareLeads(
	what: string,
	leads: readonly Lead[],
	rows: readonly JsonRecord[],
): Comparison {
	const expected = new Map(leads.map((lead) => [lead.network_profile_url, leadRow(lead)]));
	return compare(what, expected, rows, ({ profile_url }) => [profile_url]);
}

export function compare(
	what: string,
	expected: Rows,
	rows: readonly JsonRecord[],
	keyOf: (row: JsonRecord) => unknown[],
): Comparison {
	const seen = new Set<string>();
	const surplus: string[] = [];
	const different: string[] = [];
	for (const row of rows) {
		const key = keyOf(row).join(' ');
		const wanted = expected.get(key);
		if (!wanted || seen.has(key)) surplus.push(key);
		else if (Object.entries(wanted).some(([name, value]) => row[name] !== value))
			different.push(key);
		seen.add(key);
	}
	const missing = [...expected.keys()].filter((key) => !seen.has(key));
	return { what, expected: expected.size, found: rows.length, missing, surplus, different };
}

/** The tables would hide a second delivery, since rows are upserted; the executions do not. */
export async function countDeliveries({ api, workflows }: Demo): Promise<Deliveries> {
	const counted = new Map<string, number>();
	const result: Deliveries = { executions: 0, failed: [], items: 0, twice: [], last: new Set() };
	for (const [example, trigger] of Object.entries(LEAD_TRIGGERS)) {
		const workflow = workflows[example as keyof typeof LEAD_TRIGGERS];
		const newestFirst = await api.executions({ workflowId: workflow.id });
		const latest = Date.parse(newestFirst[0]?.startedAt ?? '');
		for (const { id, startedAt } of newestFirst) {
			const isLast = latest - Date.parse(startedAt) < CONFIRMED_AFTER_MS + POLL_MS;
			const { status, problem, output } = await api.execution(id);
			result.executions++;
			if (status !== 'success')
				result.failed.push(`${workflow.name} (${id}): ${status} ${problem}`);
			for (const item of output(trigger)) {
				const key = `${example} ${String(item.client_id ?? 'own')} ${String(item.id)}`;
				counted.set(key, (counted.get(key) ?? 0) + 1);
				if (isLast) result.last.add(key);
				result.items++;
			}
		}
	}
	result.twice = [...counted].filter(([, times]) => times > 1).map(([key]) => key);
	return result;
}
