/**
 * Random orders of answers, tries and "Retry execution", from a seed, against a service that knows
 * the truth. The pairs of `pairsOfTries.test.ts` are complete; here are longer histories.
 */
import type { NodeRun } from '../support/engine';
import { answersOf, falsehoods, KINDS, OPERATIONS, run, service } from './answersAndTruth';
import { OURS, THEIRS, type ReadAnswer, type WriteAnswer } from './onePost';

function randomFrom(seed: number) {
	let state = seed;
	return () => {
		state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
		return state / 4_294_967_296;
	};
}

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
const HISTORIES = 100;

describe.each(OPERATIONS)('%s', (_, parameters) => {
	it.each([11, 12])(
		'tells the truth in random histories, seed %i',
		async (seed) => {
			const random = randomFrom(seed);
			const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T;
			const wrong: string[] = [];
			for (let history = 0; history < HISTORIES / 2; history += 1) {
				const script = Array.from({ length: 1 + Math.floor(random() * 4) }, () => pick(ANSWERS));
				service.begin(script, pick(READS));
				let before: NodeRun | undefined;
				const told: string[] = [];
				for (let execution = 1; execution <= 3; execution += 1) {
					const sentBefore = service.sent.length;
					const maxTries = 1 + Math.floor(random() * 3);
					const ran: NodeRun = await run(parameters, {
						retryOnFail: maxTries > 1,
						maxTries,
						onError: random() < 0.3 ? 'continueErrorOutput' : 'stopWorkflow',
						executionId: String(execution * 1000),
						...(before === undefined ? {} : { runExecutionData: before.fullRun.data }),
					});
					const got = script.slice(sentBefore, service.sent.length);
					told.push(`${execution}x${maxTries}: ${got.map(nameOf).join(', ')}`);
					const found = falsehoods(ran, parameters.operation);
					if (service.timesDone > 1) found.push('done twice');
					const sentAfterEnd = got.findIndex((answer) => FINAL.has(answer));
					const sent = service.sent.length - sentBefore;
					if (sentAfterEnd >= 0 && sent > sentAfterEnd + 1) found.push('sent after a refusal');
					const edited = got.at(-1)?.edited === true && service.pending === undefined;
					if (edited && service.timesDone === 0 && service.text !== THEIRS)
						found.push('a text that had to be reviewed was overwritten');
					wrong.push(...found.map((what) => `${history}: ${told.join(' | ')}: ${what}`));
					if (ran.error === undefined) break;
					before = ran;
					if (random() < 0.5) service.settle();
				}
			}
			expect(wrong).toEqual([]);
			expect(service.text === OURS || service.sent.length > 0).toBe(true);
		},
		120_000,
	);
});

const nameOf = ({ status, reason, fate }: WriteAnswer): string =>
	`${reason ?? status} ${JSON.stringify(fate)}`;
