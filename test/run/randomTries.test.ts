/**
 * Random orders of answers, tries and "Retry execution", against a service that knows the truth. The
 * pairs of `pairsOfTries.test.ts` are complete; here are longer histories.
 */
import * as fc from 'fast-check';

import type { NodeRun } from '../support/engine';
import { times } from '../support/long';
import { answersOf, falsehoods, KINDS, OPERATIONS, run, service } from './answersAndTruth';
import { OURS, THEIRS, type ReadAnswer, type WriteAnswer } from './onePost';

const ANSWERS = Object.entries(KINDS).flatMap(([name, kind]) => answersOf(name, kind));
const FINAL = new Set<WriteAnswer>(
	Object.entries(KINDS).flatMap(([name, kind]) =>
		kind.final === true ? ANSWERS.filter((answer) => isOfKind(answer, name, kind.answer)) : [],
	),
);
function isOfKind(answer: WriteAnswer, name: string, { status, code }: Omit<WriteAnswer, 'fate'>) {
	const reason = name.includes('_') ? name : undefined;
	return answer.reason === reason && answer.status === status && answer.code === code;
}
const READS: ReadonlyArray<ReadAnswer | undefined> = [
	...Array.from({ length: 6 }, () => undefined),
	{ status: 200, capabilities: { can_edit: true, can_delete: true } },
	{ status: 429, code: 'rate_limited' },
	{ status: 500, code: 'internal_error' },
];

const HISTORIES = times(20, 1_000);

/** What the service answers and says of the post, and how the user runs the workflow. */
const HISTORY = fc.record({
	script: fc.array(fc.constantFrom(...ANSWERS), { minLength: 1, maxLength: 4 }),
	read: fc.constantFrom(...READS),
	executions: fc.array(
		fc.record({
			maxTries: fc.integer({ min: 1, max: 3 }),
			onError: fc.constantFrom('stopWorkflow' as const, 'continueErrorOutput' as const),
			settles: fc.boolean(),
		}),
		{ minLength: 3, maxLength: 3 },
	),
});

describe.each(OPERATIONS)('%s', (_, parameters) => {
	it('tells the truth in random histories', async () => {
		const tellsTheTruth = fc.asyncProperty(HISTORY, async ({ script, read, executions }) => {
			service.begin(script, read);
			let before: NodeRun | undefined;
			const told: string[] = [];
			for (const [index, { maxTries, onError, settles }] of executions.entries()) {
				const sentBefore = service.sent.length;
				const ran: NodeRun = await run(parameters, {
					retryOnFail: maxTries > 1,
					maxTries,
					onError,
					executionId: String((index + 1) * 1000),
					...(before === undefined ? {} : { runExecutionData: before.fullRun.data }),
				});
				const got = script.slice(sentBefore, service.sent.length);
				told.push(`${index + 1}x${maxTries}: ${got.map(nameOf).join(', ')}`);
				const found = falsehoods(ran, parameters.operation);
				if (service.timesDone > 1) found.push('done twice');
				const sentAfterEnd = got.findIndex((answer) => FINAL.has(answer));
				const sent = service.sent.length - sentBefore;
				if (sentAfterEnd >= 0 && sent > sentAfterEnd + 1) found.push('sent after a refusal');
				const edited = got.at(-1)?.edited === true && service.pending === undefined;
				if (edited && service.timesDone === 0 && service.text !== THEIRS)
					found.push('a text that had to be reviewed was overwritten');
				expect([told.join(' | '), found]).toEqual([told.join(' | '), []]);
				if (ran.error === undefined) break;
				before = ran;
				if (settles) service.settle();
			}
			expect(service.text === OURS || service.sent.length > 0).toBe(true);
		});
		await fc.assert(tellsTheTruth, { seed: 11, numRuns: HISTORIES });
	}, 300_000);
});

const nameOf = ({ status, reason, fate }: WriteAnswer): string =>
	`${reason ?? status} ${JSON.stringify(fate)}`;
