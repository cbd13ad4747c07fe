/**
 * Every twelfth for every change, and all of them at night: two tries of one execution, every answer of part 7.2 after every other one, each with all that may
 * be true behind it; then a person's "Retry execution". Whatever the node says in the end has to be
 * compatible with what the service knows to be true.
 */
import type { NodeRun } from '../support/engine';
import { shareOf } from '../support/long';
import { answersOf, falsehoods, KINDS, OPERATIONS, run, service, told } from './answersAndTruth';
import type { ReadAnswer, WriteAnswer } from './onePost';

interface Second {
	readonly what: string;
	readonly write?: WriteAnswer;
	readonly read?: ReadAnswer;
}

const SECONDS: readonly Second[] = [
	...Object.entries(KINDS).flatMap(([name, kind]) =>
		answersOf(name, kind)
			// No try comes after it that could meet what is still under way.
			.filter(({ fate }) => typeof fate === 'string' || (!fate.shown && fate.doneAfterReads > 1))
			.map((write) => ({ what: `${name}, ${told(write.fate)}`, write })),
	),
	{ what: 'no capabilities', read: { status: 200, capabilities: null } },
	{
		what: 'a capability that is false',
		read: { status: 200, capabilities: { can_edit: false, can_delete: false, edit_etag: null } },
	},
	{ what: 'no post', read: { status: 200, gone: true } },
	{ what: 'a read that is throttled', read: { status: 429, code: 'rate_limited' } },
	{ what: 'a read that fails', read: { status: 500, code: 'internal_error' } },
	{ what: 'a read that is forbidden', read: { status: 403, code: 'forbidden' } },
	{ what: 'nothing unusual' },
];

describe.each(OPERATIONS)('%s', (_, parameters) => {
	const firsts = Object.entries(KINDS)
		.filter(([name]) => name !== 'success')
		.flatMap(([name, kind]) =>
			answersOf(name, kind).map((first): [string, string, WriteAnswer] => [
				name,
				told(first.fate),
				first,
			]),
		);

	it.each(firsts.map((row, index) => [...row, index] as const))(
		'that gets %s (%s) first',
		async (name, _fate, first, at) => {
			const wrong: string[] = [];
			const seconds = shareOf(SECONDS, { nth: 12, index: at });
			for (const { what, write, read } of seconds) {
				const script = [first, ...(write === undefined ? [] : [write])];
				const check = (where: string, ran: NodeRun) => {
					const found = falsehoods(ran, parameters.operation);
					if (service.timesDone > 1) found.push('done twice');
					wrong.push(...found.map((text) => `${what}, ${where}: ${text}`));
				};
				const checkSent = () => {
					if (KINDS[name]?.final === true && service.sent.length !== 1)
						wrong.push(`${what}: sent ${service.sent.length} times`);
				};
				service.begin(script, read);
				check('with "Continue"', await run(parameters, { onError: 'continueErrorOutput' }));
				checkSent();

				service.begin(script, read);
				const stopped = await run(parameters);
				check('stopped', stopped);
				checkSent();
				if (stopped.error === undefined) continue;
				service.settle();
				const again = { runExecutionData: stopped.fullRun.data, executionId: '2000' };
				check('retried', await run(parameters, again));
			}
			expect(wrong).toEqual([]);
		},
		60_000,
	);
});
