/** What the API document does not forbid is sent; where it may be a mistake, the user is told. */
import { undescribed } from '../support/followOpenApi';
import { setUpKit } from '../support/kit/index';

const kit = setUpKit({ resource: 'post' });

interface Told {
	/** The body that was sent, if one was. */
	sent: unknown;
	hints: string[];
	error?: string;
}

async function told(parameters: Record<string, unknown>): Promise<Told> {
	const run = await kit.run(parameters, { onError: 'continueErrorOutput' });
	const hints = run.runData['Node under test']?.[0]?.hints ?? [];
	const failed = run.outputs[1]?.[0]?.json.error;
	// What is sent here goes beyond what is described.
	undescribed();
	return {
		sent: kit.writes()[0]?.json,
		hints: hints.map(({ message }) => message),
		...(failed === undefined ? {} : { error: String(failed) }),
	};
}
const post = (parameters: Record<string, unknown>) => ({
	operation: 'create',
	text: 'A post',
	...parameters,
});

describe('of a post', () => {
	it('a time that clocks skip is moved, and the user is told', async () => {
		// The workflow counts in the time of New York, where clocks go forward on 12 March 2090.
		const { sent, hints } = await told(
			post({ status: 'scheduled', scheduledAt: '2090-03-12T02:30:00' }),
		);
		expect(sent).toMatchObject({ scheduled_at: '2090-03-12T07:30:00.000Z' });
		expect(hints).toEqual([
			expect.stringMatching(/"Scheduled At".*moved forward to 2090-03-12 03:30/),
		]);
	});

	it('dates of n8n are understood, at the top, in a collection and within JSON', async () => {
		const later = '={{ DateTime.fromISO("2090-01-02T10:00:00+09:00") }}';
		const { sent } = await told(post({ status: 'scheduled', scheduledAt: later }));
		expect(sent).toMatchObject({ scheduled_at: '2090-01-02T01:00:00.000Z' });
		kit.service.clearLog();
		const followups = '={{ [{ at: DateTime.fromISO("2090-01-02T10:00:00Z") }] }}';
		const withDates = await told(post({ additionalFields: { followups } }));
		expect(JSON.stringify(withDates.sent)).toContain('"at":"2090-01-02T');
		expect(JSON.stringify(withDates.sent)).not.toContain('__n8nType');
	});
});
