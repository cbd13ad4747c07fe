/**
 * All that can be checked without asking anybody is checked before the first request of any kind: to
 * the service, to a storage, to the host of a file. Every operation with every parameter, with a client
 * that has to be found by its name and files that have to be fetched.
 */
import type { JsonRecord } from '../../nodes/LeadGenPublishing/api/schemas';
import { startService, type FakeService } from '../../fake-service/index';
import { LOST, scriptedRun, tries } from '../run/scriptedRun';
import { ok, pageOf } from '../support/replies';
import type { Parameters } from '../support/kit/values';
import { changed, labelled, prepareAll } from './everyParameter';
import { isForPerson, membersOf, operations } from './forms';
import { expressionOf, wrongFor } from './wrongFor';

let service: FakeService;
beforeAll(async () => {
	service = await startService();
});
afterAll(async () => {
	await service.close();
});

const NAME = 'Ada';
/** The clock of the run stands in 2030. */
const TOMORROW = '2030-01-29T09:00:00Z';
const FILE = { source: 'url', fileUrl: 'https://files.example.com/a.png' };
const CLIENT = { user_id: '6f1c2f0e-7d4b-4a53-9d53-0c1f0a6c1b11', full_name: NAME };

/** Parameters with which the operation has to ask as early as it can. */
async function asking(name: string): Promise<Parameters> {
	const prepared = await prepareAll(service, name);
	const parameters = JSON.parse(
		JSON.stringify(prepared.parameters, (field, value: unknown) =>
			field === 'scheduledAt' ? TOMORROW : value,
		),
	) as Parameters;
	const byName =
		parameters.actAs === 'client' ? { clientId: { __rl: true, mode: 'name', value: NAME } } : {};
	const { operation } = operations.find((one) => one.name === name) ?? {};
	const shown = operation?.fields.filter(isForPerson) ?? [];
	const offersFiles = shown.flatMap(membersOf).some((one) => one.name === 'attachments');
	if (!offersFiles) return { ...parameters, ...('source' in parameters ? FILE : {}), ...byName };
	const {
		images: _images,
		documentUrl: _documentUrl,
		...additional
	} = (parameters.additionalFields ?? {}) as JsonRecord;
	const attachments = { files: [FILE] };
	return { ...parameters, ...byName, additionalFields: { ...additional, attachments } };
}

async function run(parameters: JsonRecord, more: { stored?: JsonRecord; type?: string } = {}) {
	let fetched = 0;
	const { asked, error, output } = await scriptedRun({
		...{ parameters, ...more },
		answer: ({ method, path }) => {
			if (path === '/clients') return pageOf([CLIENT]);
			const isList = method === 'GET' && /\/(?:posts|lead-magnets)$/.test(path);
			return isList ? pageOf([]) : ok({ id: 'p', status: 'draft' });
		},
		storage: async () => await Promise.resolve((fetched += 1)),
	});
	return { asked: [...asked, ...(fetched > 0 ? ['a file'] : [])], error, output };
}

const asks = operations.filter(({ operation }) => operation.kind !== 'local');

it.each(asks.map(({ name }) => name))('%s asks with valid parameters', async (name) => {
	const { asked } = await run(await asking(name));
	expect(asked).not.toEqual([]);
});

const spots = labelled.filter(([, { field }]) => wrongFor(field).length > 0);

it.each(spots)('%s with a wrong value asks nobody', async (_, spot) => {
	const parameters = await asking(spot.operation);
	for (const wrong of wrongFor(spot.field)) {
		const given = changed(parameters, spot, wrong);
		const stored = changed(parameters, spot, expressionOf(wrong));
		const { asked, error } = await run(given, { stored });
		expect([wrong, asked, error?.message]).toEqual([wrong, [], expect.any(String)]);
	}
});

/** Values that are wrong together with others, or for what they say. */
const HOUR_AGO = '2030-01-28T08:00:00Z';
const PAST = { status: 'scheduled', scheduledAt: HOUR_AGO };
const WRONG: ReadonlyArray<readonly [name: string, change: JsonRecord]> = [
	['post.create', { ...PAST, options: {} }],
	['post.create', { text: 'x'.repeat(3001) }],
	['post.create', { options: { uniqueKey: 'a', customFields: { notes: ['x'] } } }],
	['post.create', { options: { ifExists: 'fail' } }],
	[
		'post.create',
		{ additionalFields: { attachments: { files: [FILE] }, images: ['https://x/a'] } },
	],
	['post.create', { status: 'nextFreeSlot', slots: 'Noday 09:00' }],
	['post.upsert', { uniqueKey: ' ' }],
	['post.upsert', { options: { customFields: { notes: ['x'] } } }],
	['post.update', { updateFields: PAST }],
	['post.update', { updateFields: {} }],
	['leadMagnet.create', { keyword: '', options: { ifExists: 'return' } }],
	['leadMagnet.upsert', { resourceName: '' }],
	['leadMagnet.update', { updateFields: { cta: { values: { ctaLabel: 'Go' } } } }],
	['media.delete', { path: '' }],
	['media.upload', { options: { customFields: { content_type: 'text/plain' } } }],
	['media.upload', { options: { customFields: { file_size: 99_999_999 } } }],
	['lead.getAll', { options: { customFields: { offset: 9 } } }],
];

const shown = WRONG.map(
	([name, change]) => [name, JSON.stringify(change).slice(0, 90), change] as const,
);
it.each(shown)('%s with %s asks nobody', async (name, _, change) => {
	const { asked, error } = await run({ ...(await asking(name)), ...change });
	expect([asked, error?.message]).toEqual([[], expect.any(String)]);
});

describe('several items', () => {
	const rows = async (text: readonly unknown[], more: JsonRecord = {}) => {
		const parameters = {
			...(await asking('post.create')),
			status: 'draft',
			additionalFields: {},
			...more,
		};
		return await scriptedRun({
			...{ parameters, each: { text }, continueOnFail: true },
			answer: ({ method, path }) =>
				path === '/clients' || method === 'GET' ? pageOf([CLIENT]) : ok({ id: 'p' }),
		});
	};

	it('ask nobody if each has a wrong value, and each says so', async () => {
		const { asked, records } = await rows(['', 'x'.repeat(3001)]);
		expect(asked).toEqual([]);
		expect(records.map(({ error }) => error)).toEqual([
			expect.stringContaining('"Text" is'),
			expect.stringContaining('at most 3000'),
		]);
		expect(records.every(({ details }) => !('client_id' in (details as JsonRecord)))).toBe(true);
	});

	it('ask nobody if a comparison of them all rejects each', async () => {
		const { asked, records } = await rows(['One', 'Another'], { options: { uniqueKey: 'same' } });
		expect(asked).toEqual([]);
		expect(records.map(({ error }) => error)).toEqual([
			expect.stringContaining('have the same Unique Key'),
			expect.stringContaining('have the same Unique Key'),
		]);
	});

	it('are sent for the client if only one of them has a wrong value', async () => {
		const { asked, records, writes } = await rows(['', 'Hello'], { options: {} });
		expect(asked[0]).toBe('GET /clients');
		expect(writes.map(({ path }) => path)).toEqual([`/clients/${CLIENT.user_id}/posts`]);
		expect(records[0]?.error).toContain('"Text" is');
	});
});

it('an attempt whose outcome is unknown is reported, although the time is over by now', async () => {
	const { additionalFields: _files, options: _options, ...row } = await asking('post.create');
	const { next } = tries({
		parameters: { ...row, ...PAST, scheduledAt: '2030-01-28T09:10:00Z' },
		answer: ({ path }) => (path === '/clients' ? pageOf([CLIENT]) : LOST),
	});
	expect((await next()).writes).toHaveLength(1);
	const { error, writes } = await next({ execution: '8', after: 3_600 });
	expect([writes, error?.message]).toEqual([[], expect.stringContaining('not sent again')]);
});
