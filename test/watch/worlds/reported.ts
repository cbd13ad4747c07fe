/** What the failed executions of a world say: how often one cause, and how many held-back records. */
import type { Said } from './play';
import { HOUR } from './virtualTime';

/** One cause for all clients, counts and times that it names. */
const causeOf = ({ message }: Said): string =>
	message
		.replace(/[0-9a-f]{8}-[0-9a-f-]{27}|\d{4}-\d\d-\d\dT[\d:.]+Z/g, '…')
		.replace(/Request ID: \S+/g, '…')
		.replace(/Client Number\d*/g, 'Client')
		.replace(/\d+/g, '…');

function timesOf(said: readonly Said[]): number[][] {
	const byCause = new Map<string, number[]>();
	for (const one of said) {
		// n8n tries several times to publish a workflow, and somebody waits for the result.
		if (one.message.startsWith('while it was activated')) continue;
		const cause = causeOf(one);
		byCause.set(cause, [...(byCause.get(cause) ?? []), one.atMs]);
	}
	return [...byCause.values()];
}

/** The most executions that failed for one cause. */
export const failedForOneCause = (said: readonly Said[]): number =>
	timesOf(said).reduce((most, { length }) => Math.max(most, length), 0);

/** How many executions more than one an hour, and the first, failed for one cause. */
export const failedTooOften = (said: readonly Said[]): number =>
	timesOf(said).reduce((most, times) => {
		const hours = Math.floor((Math.max(...times) - Math.min(...times)) / HOUR);
		return Math.max(most, times.length - hours - 1);
	}, 0);

/** How many records the reports have said to be held back. */
export const reportedAsHeld = (said: readonly Said[]): number =>
	said
		// An error may say the same in its message and in its description.
		.flatMap(({ message }) => [...new Set(message.match(/(\d+ records|A record) appeared after/g))])
		.reduce((sum, text) => sum + (text.startsWith('A') ? 1 : parseInt(text, 10)), 0);
