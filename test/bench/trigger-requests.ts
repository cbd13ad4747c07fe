/** What a poll costs in requests and what a record costs in state. `tsx test/bench/trigger-requests.ts` */
import { rulesFor } from '../../nodes/LeadGenPublishing/watch/events';
import { pollOnce, scannedState, serve, uuids } from '../watch/settled';

async function main(): Promise<void> {
	const table: Record<string, Record<string, number>> = {};
	for (const size of [99, 2_000, 10_000, 100_000]) {
		const known = uuids(size);
		const state = scannedState(known);
		const row: Record<string, number> = {};
		row.idle = (await pollOnce(state, serve(known))).requests;
		for (const count of [1, 10, 100, 1_000]) {
			const news = uuids(count, 99);
			row[`${count} at head`] = (await pollOnce(state, serve([...news, ...known]))).requests;
			row[`${count} at tail`] = (await pollOnce(state, serve([...known, ...news]))).requests;
		}
		const changing = scannedState(known, rulesFor('leadChanged', {}));
		const text = (value: unknown): number => JSON.stringify(value).length;
		row['chars/record'] = Math.round((100 * text(state)) / size) / 100;
		row['with fingerprint'] = Math.round((100 * text(changing)) / size) / 100;
		table[`${size} records`] = row;
	}
	console.table(table);
}

void main();
