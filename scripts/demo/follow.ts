// Tells the control page of the fake service when a lead has arrived in one of n8n's tables.

import { TABLES } from '../n8n/examples';
import type { Demo } from './furnishN8n';

const EVERY_MS = 1_000;

export function followLeads({
	api,
	service: { happenings },
	tables,
}: Pick<Demo, 'api' | 'service' | 'tables'>): () => void {
	let over = false;
	let timer: NodeJS.Timeout;
	const look = async (): Promise<void> => {
		for (const name of ['own', 'clients'] as const) {
			const underWay = new Set(happenings.underWay());
			if (underWay.size === 0) return;
			for (const { lead_id: lead } of await api.rows(tables[name])) {
				if (underWay.has(String(lead)))
					happenings.landed(String(lead), `the table “${TABLES[name]}”`);
			}
		}
	};
	const next = () => {
		timer = setTimeout(() => {
			// n8n may be about to end.
			void look()
				.catch(() => undefined)
				.then(() => (over ? undefined : next()));
		}, EVERY_MS);
	};
	next();
	return () => {
		over = true;
		clearTimeout(timer);
	};
}
