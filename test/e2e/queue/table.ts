// The table in PostgreSQL against the service, column by column.

import { asRecord } from '../../../scripts/n8n/n8nApi';
import type { Lead } from '../../../fake-service';
import { CRM, type Scene } from './scene';
import { COLUMNS } from './workflows';

export interface Table {
	rows: number;
	missing: number;
	surplus: number;
	different: number;
}

export const wrongIn = ({ missing, surplus, different }: Table): number[] => [
	missing,
	surplus,
	different,
];

export const tableLine = ({ rows, missing, surplus, different }: Table): string =>
	`${rows} rows; ${missing} missing, ${surplus} too many, ${different} different`;

export async function compareTable({ postgres, service }: Scene): Promise<Table> {
	const leads = service.world.own.leads.toArray();
	const wanted = new Map(leads.map((lead) => [lead.network_profile_url, rowOf(lead)]));
	const lines = await postgres.ask(CRM, 'select row_to_json(leads) from leads');
	const rows = lines.map((line) => asRecord(JSON.parse(line)));
	const found = new Set(rows.map((row) => String(row.profile_url)));
	const isDifferent = (row: Record<string, unknown>) => {
		const lead = wanted.get(String(row.profile_url));
		return lead !== undefined && COLUMNS.some((column) => row[column] !== lead[column]);
	};
	return {
		rows: rows.length,
		missing: [...wanted.keys()].filter((profile) => !found.has(profile)).length,
		surplus: rows.filter((row) => !wanted.has(String(row.profile_url))).length,
		different: rows.filter(isDifferent).length,
	};
}

function rowOf(lead: Lead): Record<(typeof COLUMNS)[number], unknown> {
	const { work, submitted, personal } = lead.emails;
	return {
		profile_url: lead.network_profile_url,
		lead_id: lead.id,
		name: lead.name,
		email: work ?? submitted ?? personal,
		keyword: lead.latest_keyword,
	};
}
