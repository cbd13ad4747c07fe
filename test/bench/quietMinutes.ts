// A trigger that is polled once a minute while nothing happens, by a clock that is put on a minute
// between two polls. Counts only: how long a poll takes is measured elsewhere.

import { pollRegistration } from '../support/engine';
import type { Bench } from './result';
import { isScanning } from './rivals/pollers';

export interface QuietMinutes {
	polls: number;
	/** Per poll, on average. */
	requests: number;
	/** Of the poll that asked most. */
	most: number;
	/** Of the answers to one poll, on average. */
	bytes: number;
}

const MINUTE = 60_000;
let made = 0;

export async function quietMinutes(
	{ service, ours }: Bench,
	given: {
		apiKey: string;
		parameters: Record<string, unknown>;
		minutes: number;
		/** What happens before the first poll that counts: the poll that notices it does not. */
		atFirst?: () => Promise<unknown>;
	},
): Promise<QuietMinutes> {
	const { apiKey, parameters, minutes, atFirst } = given;
	made += 1;
	const name = `quiet-${made}`;
	const node = pollRegistration({
		node: ours.trigger,
		credentialType: ours.credential,
		credentials: { baseUrl: service.baseUrl, apiKey },
		parameters,
		workflowId: name,
		nodeId: name,
		durability: 'inMemory',
	});
	const sums = { requests: 0, bytes: 0, most: 0 };
	const clock = Date.now;
	let ahead = 0;
	Date.now = () => clock() + ahead;
	try {
		let first = await node.activate();
		while (first.error === undefined && isScanning(first.staticData)) first = await node.tick();
		if (first.error !== undefined) throw first.error;
		if (atFirst !== undefined) {
			await atFirst();
			const noticed = await node.tick();
			if (noticed.error !== undefined) throw noticed.error;
		}
		for (let minute = 0; minute < minutes; minute += 1) {
			ahead += MINUTE;
			await service.pull('counted', {});
			const { items, error } = await node.tick();
			if (error !== undefined) throw error;
			if (items !== null) throw new Error(`${items.length} items although nothing is new`);
			const { requests, bytes } = await service.pull('counted', {});
			sums.requests += requests;
			sums.bytes += bytes;
			sums.most = Math.max(sums.most, requests);
		}
	} finally {
		Date.now = clock;
	}
	return {
		polls: minutes,
		requests: sums.requests / minutes,
		most: sums.most,
		bytes: sums.bytes / minutes,
	};
}
