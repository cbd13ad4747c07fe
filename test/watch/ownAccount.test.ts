/** To which account a key belongs: by the service's word where it names one, else by known records. */
import { isRecord, type JsonRecord } from '../../nodes/LeadGenPublishing/api/schemas';
import {
	findOwnAccount,
	type KnownList,
	type OwnAccount,
} from '../../nodes/LeadGenPublishing/watch/ownAccount';

type Input = Parameters<typeof findOwnAccount>[0];

const listOf = (account: string, ...ids: string[]): KnownList => ({
	account,
	end: ids.length,
	isKnown: (record) => isRecord(record) && ids.includes(String(record.id)),
});
const shows =
	(...ids: string[]): Input['readPage'] =>
	async (offset) =>
		await Promise.resolve({
			records: ids.slice(offset, offset + 100).map((id) => ({ id })),
			hasMore: offset + 100 < ids.length,
		});
const says = (subject?: JsonRecord) => async () =>
	subject === undefined
		? await Promise.reject(new Error('no answer'))
		: await Promise.resolve(subject);
const never = async (): Promise<never> => await Promise.reject(new Error('not to be asked'));

const decide = async (given: Partial<Input>) =>
	await findOwnAccount({
		...{ before: undefined, credential: 'key 1', undecided: 0, lists: [] },
		...{ askSubject: says(), readPage: never },
		...given,
	});
/** The account that the first key has shown. */
async function first(subject?: JsonRecord): Promise<OwnAccount> {
	const { own } = await decide({ askSubject: says(subject) });
	return own ?? { credential: '', account: '', owners: {} };
}
const another = { credential: 'key 2', lists: [listOf('own', 'a', 'b')] };

it('the first key is that of the own account, and asks nothing more', async () => {
	for (const subject of [undefined, { ok: true }, { user_id: 'me' }]) {
		const before = await first(subject);
		expect(before).toMatchObject({ credential: 'key 1', account: 'own' });
		expect(await decide({ before, askSubject: never })).toEqual({ own: before, change: 'none' });
	}
});

it('what names an account is not stored', async () => {
	const text = JSON.stringify(await first({ email: 'me@example.com' }));
	expect(text).not.toContain('me@');
	expect(text).toContain('"kind":"email"');
});

describe('another key', () => {
	it.each<[string, JsonRecord, JsonRecord]>([
		['its user ID', { user_id: 'Me ' }, { user_id: 'me', email: 'new@example.com' }],
		['its number', { account_id: 7, id: 'key 1' }, { id: 'key 2', account_id: '7' }],
		['the ID of its user', { user: { id: 'me' } }, { user_id: 'me' }],
		['its address', { email: 'me@example.com' }, { email: 'ME@example.com', plan: 'free' }],
		['a bare ID', { id: 'me' }, { id: 'me' }],
	])('is of the same account by %s', async (_, then, now) => {
		const before = await first(then);
		const found = await decide({ ...another, before, askSubject: says(now) });
		expect(found).toMatchObject({ own: { credential: 'key 2', account: 'own' }, change: 'none' });
	});

	it('is of another account where its user ID is another, whatever the records say', async () => {
		const before = await first({ user_id: 'me' });
		const found = await decide({
			...{ ...another, before, askSubject: says({ user_id: 'you' }) },
			readPage: shows('a'),
		});
		expect(found).toMatchObject({ own: { account: 'own2' }, change: 'new' });
		const own = found.own ?? before;
		const back = await decide({
			...{ credential: 'key 3', before: own, askSubject: says({ user_id: 'me' }) },
			lists: [listOf('own', 'a'), listOf('own2')],
		});
		expect(back).toMatchObject({ own: { account: 'own' }, change: 'another' });
		const third = { credential: 'key 4', askSubject: says({ user_id: 'she' }) };
		expect(await decide({ ...third, before: back.own, lists: another.lists })).toMatchObject({
			...{ own: { account: 'own3' }, change: 'new' },
		});
	});

	/** A bare `id` may be the key's; people change their addresses. */
	it.each<[JsonRecord, JsonRecord | undefined]>([
		[{ id: 'key 1' }, { id: 'key 2' }],
		[{ email: 'me@example.com' }, { email: 'new@example.com' }],
		[{ user_id: 'me' }, { email: 'me@example.com' }],
		[{ user_id: 'me' }, undefined],
		[{ ok: true }, { ok: true }],
	])('after %j, now %j: a known record shows it', async (then, now) => {
		const given = { ...another, before: await first(then), askSubject: says(now) };
		const same = await decide({ ...given, readPage: shows('x', 'b') });
		expect(same).toMatchObject({ own: { account: 'own' }, change: 'none' });
		const other = await decide({ ...given, readPage: shows('x', 'y'), undecided: 5 });
		expect(other).toMatchObject({ own: { account: 'own2' }, change: 'new' });
	});

	it('is recognised by a record at the end of a long list', async () => {
		const ids = Array.from({ length: 350 }, (_, at) => `${at}`);
		const lists = [{ ...listOf('own', '349'), end: 350 }];
		const given = { ...another, before: await first(), lists, askSubject: says({}) };
		expect(await decide({ ...given, readPage: shows(...ids) })).toMatchObject({
			own: { account: 'own' },
		});
	});

	it('may be that of an account from before, by its records', async () => {
		const lists = [listOf('own', 'a'), listOf('own2', 'x')];
		const before = { credential: 'key 1', account: 'own2', owners: {} };
		const given = { credential: 'key 2', before, lists, askSubject: says({}) };
		expect(await decide({ ...given, readPage: shows('a') })).toMatchObject({
			...{ own: { account: 'own' }, change: 'another' },
		});
		expect(await decide({ ...given, readPage: shows('a', 'x') })).toMatchObject({
			...{ own: { account: 'own2' }, change: 'none' },
		});
	});

	it('of an account that shows nothing goes on, as nothing could come as new', async () => {
		const given = { ...another, before: await first({}), askSubject: says({}) };
		expect(await decide({ ...given, readPage: shows() })).toMatchObject({
			own: { account: 'own' },
		});
		expect(await decide({ ...given, lists: [] })).toMatchObject({ own: { account: 'own' } });
	});

	it('is left undecided for some polls where nothing tells, and then begins anew', async () => {
		const before = await first({ user_id: 'me' });
		const given = { ...another, before };
		const silent = { ...given, readPage: shows('x') };
		expect(await decide(silent)).toMatchObject({
			own: undefined,
			why: expect.stringMatching(/^The API key was replaced, and the service did not/) as string,
		});
		expect(await decide({ ...silent, undecided: 4 })).toMatchObject({ own: undefined });
		expect(await decide({ ...silent, undecided: 5 })).toMatchObject({ change: 'new' });
		const blank = async () => await Promise.resolve({ records: [], hasMore: true });
		const hidden = { ...given, askSubject: says({}), readPage: blank };
		expect(await decide(hidden)).toMatchObject({
			why: expect.stringMatching(/the list is empty and announces more\.$/) as string,
		});
		expect(await decide({ ...hidden, undecided: 5 })).toMatchObject({ change: 'new' });
	});
});

it('where only the lists are known, the records decide', async () => {
	const given = { lists: another.lists, askSubject: says({ user_id: 'me' }) };
	expect(await decide({ ...given, readPage: shows('a') })).toMatchObject({
		...{ own: { credential: 'key 1', account: 'own' }, change: 'none' },
	});
	expect(await decide({ ...given, readPage: shows('x') })).toMatchObject({ change: 'new' });
});
