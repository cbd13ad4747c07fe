/** What a list in the editor shows and asks for, and what it does when the service fails: by a script. */
import type { IHttpRequestOptions, ILoadOptionsFunctions } from 'n8n-workflow';

import type { JsonRecord } from '../../nodes/LeadGenPublishing/api/schemas';
import * as listSearch from '../../nodes/LeadGenPublishing/methods/listSearch';

const SERVICE = 'https://api.example.com/v1';

type Method = Exclude<keyof typeof listSearch, 'getClients'>;

interface Scene {
	readonly method?: Method;
	/** What the service has; it gives as many at a time as it is asked for, but not more than that. */
	readonly records?: readonly JsonRecord[];
	readonly mostInPage?: number;
	/** The limit that the service names. */
	readonly namedLimit?: number;
	/** Of the answers, in turn; 200 after that. */
	readonly statuses?: readonly number[];
	readonly retryAfter?: string;
	readonly credentials?: Promise<JsonRecord>;
	readonly filter?: string;
	readonly paginationToken?: string;
	readonly parameters?: JsonRecord;
}

async function listed(scene: Scene = {}) {
	const { method = 'searchPosts', records = [], mostInPage = 100 } = scene;
	const parameters = scene.parameters ?? { actAs: 'own' };
	const asked: string[] = [];
	const statuses = [...(scene.statuses ?? [])];
	const headers = scene.retryAfter === undefined ? {} : { 'retry-after': scene.retryAfter };
	const functions = {
		getNode: () => ({ id: 'n', name: 'n', type: 'n', typeVersion: 1, position: [0, 0] }),
		getCredentials: async () =>
			await (scene.credentials ?? Promise.resolve({ baseUrl: SERVICE, apiKey: 'NOT_A_REAL_KEY' })),
		getCurrentNodeParameter: (name: string, options?: { extractValue?: boolean }) => {
			const value = parameters[name];
			const inside = (value as JsonRecord | undefined)?.value;
			return options?.extractValue === true ? inside : value;
		},
		helpers: {
			httpRequestWithAuthentication: async (_: string, { url, qs }: IHttpRequestOptions) => {
				asked.push(`${url.replace(SERVICE, '')} ${String(qs?.offset)}`);
				const [offset, limit] = [Number(qs?.offset), Number(qs?.limit)];
				const status = statuses.shift() ?? 200;
				const end = offset + Math.min(mostInPage, limit);
				const body =
					status === 200
						? {
								data: records.slice(offset, end),
								pagination: {
									...{ limit: scene.namedLimit ?? mostInPage, offset },
									has_more: end < records.length,
								},
							}
						: { error: { code: status === 403 ? 'forbidden' : 'unavailable', message: 'No' } };
				return await Promise.resolve({
					...{ statusCode: status, headers, body: JSON.stringify(body) },
				});
			},
		},
	} as unknown as ILoadOptionsFunctions;
	const result = await listSearch[method].call(functions, scene.filter, scene.paginationToken);
	return { asked, result, names: result.results.map(({ name }) => name) };
}

const postsOf = (count: number, text = 'Post'): JsonRecord[] =>
	Array.from({ length: count }, (_, index) => ({ id: `p${index}`, text }));

const CLIENT = '6f1c2f0e-7d4b-4a53-9d53-0c1f0a6c1b11';
const OTHER = '6f1c2f0e-7d4b-4a53-9d53-0c1f0a6c1b22';

const post = (text: unknown, more: JsonRecord = {}): JsonRecord => ({ id: OTHER, text, ...more });

describe('an entry', () => {
	it('of a post is its status and its text on one line', async () => {
		const records = [
			post('  One\n\n two ', { status: ' draft ' }),
			post('Plain', { status: null }),
			post('  ', { id: ' p3 ' }),
			post('Without an ID', { id: ' ' }),
			post('Without an ID', { id: null }),
		];
		const { result } = await listed({ records });
		expect(result.results).toEqual([
			{ name: 'draft · One two', value: OTHER },
			{ name: 'p3', value: 'p3' },
			{ name: 'Plain', value: OTHER },
		]);
	});

	it('has 80 characters at most', async () => {
		const records = [post('a'.repeat(80)), post(`${'b'.repeat(79)}cd`)];
		expect((await listed({ records })).names).toEqual(['a'.repeat(80), `${'b'.repeat(79)}…`]);
	});

	it('of a lead magnet is its name and its keyword, with a second line for twins', async () => {
		const records = [
			{ id: 'm1', resource_name: 'Guide', keyword: 'GUIDE' },
			{ id: 'm2', resource_name: ' ', keyword: 'BOOK' },
			{ id: 'm3' },
			{ id: 'm4', resource_name: 'Guide', keyword: 'GUIDE' },
		];
		const { result } = await listed({ method: 'searchLeadMagnets', records });
		expect(result.results).toEqual([
			{ name: 'BOOK', value: 'm2' },
			{ name: 'Guide · GUIDE', value: 'm1', description: 'ID m1' },
			{ name: 'Guide · GUIDE', value: 'm4', description: 'ID m4' },
			{ name: 'm3', value: 'm3' },
		]);
	});

	it('of a client is the person and the business, as far as they are known', async () => {
		const records = [
			{ user_id: CLIENT, full_name: ' Ada ', business_name: ' ' },
			{ user_id: CLIENT, business_name: 'Ben Ltd' },
			{ user_id: CLIENT, full_name: 'Cleo', business_name: 'Cleo Ltd' },
			{ user_id: OTHER },
			{ user_id: ' ', full_name: 'Nobody' },
		];
		const { result } = await listed({ method: 'searchClients', records });
		expect(result).toEqual({
			results: [
				{ name: OTHER, value: OTHER },
				{ name: 'Ada', value: CLIENT },
				{ name: 'Ben Ltd', value: CLIENT },
				{ name: 'Cleo · Cleo Ltd', value: CLIENT },
			],
		});
	});
});

describe('a search', () => {
	const records = [post('Hello World', { id: 'AB' }), post('Abc', { id: 'x' })];

	it.each([
		['hello w', ['Hello World']],
		[' WORLD ', ['Hello World']],
		['ab', ['Abc', 'Hello World']],
		['a', ['Abc']],
		['', ['Abc', 'Hello World']],
		[undefined, ['Abc', 'Hello World']],
		['zzz', []],
	])('for "%s" finds parts of names, and whole IDs', async (filter, expected) => {
		expect((await listed({ records, filter })).names).toEqual(expected);
	});
});

describe('pages', () => {
	const PATH = '/posts';
	const offsets = ({ asked }: { asked: string[] }) =>
		asked.map((one) => Number(one.replace(`${PATH} `, '')));

	it('are read until there are 20 entries, and the rest has a token', async () => {
		const few = await listed({ records: postsOf(60), mostInPage: 19 });
		expect(offsets(few)).toEqual([0, 19]);
		expect(few.result.results).toHaveLength(38);
		expect(few.result.paginationToken).toBe('38');
		const rest = await listed({ records: postsOf(60), mostInPage: 19, paginationToken: '38' });
		expect([...offsets(rest), rest.names.length]).toEqual([38, 57, 22]);
		const enough = await listed({ records: postsOf(60), mostInPage: 20 });
		expect(offsets(enough)).toEqual([0]);
		expect(enough.result.paginationToken).toBe('20');
	});

	it('are ten at most for one step', async () => {
		const scene = { records: postsOf(1_300, 'Other'), filter: 'none such' };
		const first = await listed(scene);
		expect(offsets(first)).toEqual([0, 100, 200, 300, 400, 500, 600, 700, 800, 900]);
		expect(first.result).toEqual({ results: [], paginationToken: '1000' });
		const second = await listed({ ...scene, paginationToken: '1000' });
		expect(offsets(second)).toEqual([1_000, 1_100, 1_200]);
		expect(second.result).toEqual({ results: [] });
	});

	it('of clients are read on, however many there are', async () => {
		const records = Array.from({ length: 250 }, (_, index) => ({ user_id: `c${index}` }));
		const { asked, names } = await listed({ method: 'searchClients', records });
		expect(asked).toEqual(['/clients 0', '/clients 100', '/clients 200']);
		expect(names).toHaveLength(250);
	});

	it.each(['x5', '5x', '-5', '1.5', ''])('begin anew for the token "%s"', async (token) => {
		expect(offsets(await listed({ records: postsOf(3), paginationToken: token }))).toEqual([0]);
	});

	it('go on by the limit of the service, or by what came', async () => {
		const scene = { records: postsOf(12), mostInPage: 5 };
		expect(offsets(await listed(scene))).toEqual([0, 5, 10]);
		expect(offsets(await listed({ ...scene, namedLimit: 0 }))).toEqual([0, 5, 10]);
		expect(offsets(await listed({ ...scene, mostInPage: 1, namedLimit: 1 }))).toHaveLength(10);
		// Where records are missing in a page, the next one does not begin earlier for it.
		expect(offsets(await listed({ ...scene, namedLimit: 6 }))).toEqual([0, 6, 12]);
		// A limit above the one that was asked for leaves out nothing.
		const all = { records: postsOf(150), mostInPage: 100, namedLimit: 500, filter: 'nowhere' };
		expect(offsets(await listed(all))).toEqual([0, 100]);
	});
});

describe('the account', () => {
	const client = (value: unknown) => ({ actAs: 'client', clientId: { mode: 'id', value } });
	const asking = async (parameters: JsonRecord, method: Method = 'searchPosts') =>
		(await listed({ method, parameters })).asked;

	it.each([CLIENT, ` ${CLIENT} `, `https://app.example.com/clients/${CLIENT}/posts`])(
		'is the client "%s"',
		async (value) => {
			expect(await asking(client(value))).toEqual([`/clients/${CLIENT}/posts 0`]);
		},
	);

	it('is the own one where the form has no such choice, and for the list of clients', async () => {
		expect(await asking({})).toEqual(['/posts 0']);
		expect(await asking({ actAs: 'own', clientId: { value: CLIENT } })).toEqual(['/posts 0']);
		expect(await asking(client(''), 'searchClients')).toEqual(['/clients 0']);
	});

	it.each([
		['', 'No client is chosen yet.'],
		['a name', 'No client is chosen yet.'],
		[7, 'No client is chosen yet.'],
		[undefined, 'No client is chosen yet.'],
		['https://app.example.com/settings', 'No client is chosen yet.'],
	])('is not guessed where the client is "%s"', async (value, expected) => {
		await expect(asking(client(value))).rejects.toThrow(expected);
	});
});

describe('an error', () => {
	const messageFor = async (scene: Scene): Promise<string> => {
		const error = await listed(scene).catch((thrown: unknown) => thrown);
		return (error as Error).message;
	};

	it('of which nothing more is known ends with itself', async () => {
		const credentials = Promise.reject(new Error('The credential is gone'));
		expect(await messageFor({ credentials })).toBe('The credential is gone');
	});
});

describe('a service that is down for a moment', () => {
	beforeEach(() => void jest.useFakeTimers());
	afterEach(() => void jest.useRealTimers());

	const asking = async (scene: Scene) => {
		const settled = listed({ records: postsOf(1), ...scene }).then(
			({ asked }) => asked.length,
			(thrown: unknown) => (thrown as Error).message,
		);
		await jest.advanceTimersByTimeAsync(60_000);
		return await settled;
	};

	it('is asked twice', async () => {
		expect(await asking({ statuses: [503] })).toBe(2);
		expect(await asking({ statuses: [503, 503] })).toMatch('HTTP 503');
	});

	it('is waited for, but not longer than five seconds', async () => {
		expect(await asking({ statuses: [503], retryAfter: '4' })).toBe(2);
		expect(await asking({ statuses: [503], retryAfter: '6' })).toMatch('HTTP 503');
	});
});
