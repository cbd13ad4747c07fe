// What happens in the fake service while the demo runs.

import type { Account, FakeService } from '../../fake-service';

export const KEYWORD = 'GUIDE';

/** A table of n8n shows so many rows at once, the newest last. */
const ROWS_PER_PAGE = 20;

/**
 * `few`: somebody who watches finds a new lead on the first page. `many`: more than the API gives
 * at once.
 */
export function furnish({ world }: FakeService, leads: 'few' | 'many'): void {
	const { own, clientA, clientB, clientC } = world;
	if (leads === 'few') {
		keepLeads(own, 6);
		for (const client of [clientA, clientB, clientC]) keepLeads(client, 2);
		return;
	}
	world.seedLeads(own, 120);
	world.seedLeads(clientA, 40);
	world.seedLeads(clientB, 15);
}

const IDS_OF_A_START = 10_000;

/**
 * The service starts with the same records each time, and n8n knows them. The person who comments this
 * time must be new to n8n.
 */
export function giveNewIds({ world }: FakeService, starts: number): void {
	for (const { counters } of world.accounts.values()) {
		counters.leads += starts * IDS_OF_A_START;
		counters.activity += starts * IDS_OF_A_START;
	}
}

function keepLeads({ leads }: Account, count: number): void {
	for (const { id } of leads.toArray().slice(0, -count)) leads.remove(id);
}

/**
 * Somebody comments somewhere now and then, never at a regular beat, and with the keyword only while
 * a page of the table has room.
 */
export function liven({ world }: FakeService): () => void {
	const { own, clientA, clientB, clientC } = world;
	const tables = [[own], [clientA, clientB, clientC]];
	const rows = (accounts: Account[]) => accounts.reduce((sum, { leads }) => sum + leads.size, 0);
	let timer: NodeJS.Timeout;
	const next = () => {
		timer = setTimeout(
			() => {
				const accounts = oneOf(tables) ?? [own];
				const account = oneOf(accounts) ?? own;
				if (Math.random() < 0.6 && rows(accounts) < ROWS_PER_PAGE - 2) {
					world.comment(account, KEYWORD);
				} else world.addActivity(account);
				next();
			},
			15_000 + Math.random() * 30_000,
		);
	};
	next();
	return () => clearTimeout(timer);
}

const oneOf = <T>(choices: readonly T[]): T | undefined =>
	choices[Math.floor(Math.random() * choices.length)];
