/**
 * Posts with one key, created at the same moment: those of one account take turns, others do not.
 */
import type { JsonRecord } from '../../../nodes/LeadGenPublishing/api/schemas';
import { byId } from '../../support/kit/index';
import { ok, pageOf } from '../../support/replies';
import { heldUntil, idOf, scriptedRun, type Asked, type Script } from '../../run/scriptedRun';

const isCreation = ({ method }: Asked): boolean => method === 'POST';

/** Two runs at once. The service answers a creation only when this many are in progress. */
async function bothAt(
	key: string,
	{ together, as }: { together: number; as: readonly [Partial<Script>, Partial<Script>] },
) {
	const { held } = heldUntil(together, isCreation);
	const run = async ({ parameters, ...more }: Partial<Script>) => {
		const created: JsonRecord[] = [];
		return await scriptedRun({
			parameters: {
				...{ resource: 'post', operation: 'create', text: 'Hello' },
				options: { uniqueKey: key, maxWaitSeconds: 20 },
				...parameters,
			},
			answer: held((asked) => {
				if (!isCreation(asked)) return pageOf(created);
				created.push({ id: idOf(1), text: 'Hello', notes: `[unique-key: ${key}]` });
				return ok(created[0]);
			}),
			...more,
		});
	};
	return await Promise.all(as.map(run));
}

const client = (index: number): Partial<Script> => ({
	parameters: { actAs: 'client', clientId: byId(idOf(index)) },
});

it.each<[string, Partial<Script>, Partial<Script>]>([
	['API keys', { apiKey: 'NOT_A_REAL_KEY_a' }, { apiKey: 'NOT_A_REAL_KEY_b' }],
	['clients', client(1), client(2)],
	['the agency and its client', {}, client(1)],
])('of different accounts do not wait for each other: %s', async (name, first, second) => {
	const runs = await bothAt(`others ${name.length}`, { together: 2, as: [first, second] });
	for (const { records, writes, error, waited } of runs) {
		expect(error).toBeUndefined();
		expect(writes).toHaveLength(1);
		expect(records).toEqual([expect.not.objectContaining({ already_existed: true })]);
		expect(waited).toBe(0);
	}
});

it.each<[string, Partial<Script>]>([
	['the own one', {}],
	['that of a client', client(3)],
])('of one account take turns, and the second says so: %s', async (name, account) => {
	const runs = await bothAt(`turn ${name.length}`, { together: 1, as: [account, account] });
	expect(runs.flatMap(({ writes }) => writes)).toHaveLength(1);
	const [failure] = runs.flatMap(({ error }) => (error === undefined ? [] : [error.message]));
	expect(failure).toMatch(/^Another execution is creating the same post/);
});
