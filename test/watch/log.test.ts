/** What a poll writes to n8n's log. Failures are in `tolerance.test.ts`. */
import { ADA, BOB, CHOSEN, numbered, watching } from './playedTrigger';

it('says how many requests the lists took', async () => {
	const node = await watching({ parameters: CHOSEN, ids: numbered(250) });
	const counts: number[] = [];
	for (const added of [0, 150]) {
		node.add(...numbered(added, 1_001));
		node.takeAsked();
		node.takeLogs('');
		await node.outcomes(1);
		const asked = node.takeAsked().filter(({ path }) => path.endsWith('/leads')).length;
		counts.push(asked);
		expect(node.takeLogs('debug')).toEqual([
			expect.stringMatching(new RegExp(`^Requests for the lists: ${asked}(?:;|$)`)),
		]);
	}
	expect(counts[1]).toBeGreaterThan(counts[0] ?? 0);
});

it('says which complete checks have ended', async () => {
	const node = await watching({ parameters: { ...CHOSEN, clientIds: [ADA, BOB] } });
	node.takeLogs('');
	await node.outcomes(1);
	const ended = (client: string) =>
		`the complete check of ${client} that began at 2027-01-15T08:03:00.000Z has ended`;
	const [message = ''] = node.takeLogs('debug');
	// Lists are read in any order.
	const [requests, ...checks] = message.split('; ');
	expect(requests).toBe('Requests for the lists: 2');
	expect(checks.sort()).toEqual([ended(ADA), ended(BOB)]);
});
