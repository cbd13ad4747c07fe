/**
 * What operations see of several items, or of an earlier execution: which items share a key, and
 * what an item gets whose write was done before. `run/` tells when n8n's items are asked that.
 */
import { InputError } from '../../nodes/LeadGenPublishing/words/inputError';
import type { JsonRecord } from '../../nodes/LeadGenPublishing/api/schemas';
import { findOperation, RESOURCES } from '../../nodes/LeadGenPublishing/operations/index';
import type { Operation, PlanContext } from '../../nodes/LeadGenPublishing/operations/operation';
import { sharedKeys } from '../../nodes/LeadGenPublishing/panel/parameters/sharedKeys';
import { Values } from '../../nodes/LeadGenPublishing/panel/parameters/values';
import { ID, itemOf } from './itemScene';

const OTHER = '0b0e7a4c-56d1-4a3e-8f7e-1f2d3c4b5a69';

/** All operations that have this, by name. */
const having = (what: 'recall' | 'planBatch'): string[] =>
	RESOURCES.flatMap(({ value, operations }) =>
		operations.filter((one) => one[what] !== undefined).map((one) => `${value}.${one.value}`),
	);
const operationOf = (name: string): Operation => {
	const [resource, operation] = name.split('.');
	return findOperation(resource, operation);
};

describe('an item whose write was done before gets', () => {
	const record = { id: ID, text: 'as it is now' };

	/** What it is made of. */
	const RECALLED: Readonly<Record<string, 'post.get' | 'leadMagnet.get' | 'the ID'>> = {
		'leadMagnet.archive': 'the ID',
		'leadMagnet.create': 'leadMagnet.get',
		'leadMagnet.update': 'leadMagnet.get',
		'leadMagnet.upsert': 'leadMagnet.get',
		'post.create': 'post.get',
		'post.delete': 'the ID',
		'post.update': 'post.get',
		'post.upsert': 'post.get',
	};

	it('what its operation knows of it', () => {
		expect(having('recall').sort()).toEqual(Object.keys(RECALLED));
	});

	it.each(Object.entries(RECALLED))('%s: %s', async (name, from) => {
		const answers = from === 'the ID' ? {} : { [from]: [record] };
		const { call, sent } = itemOf(operationOf(name), {}, { answers });
		const recalled = await operationOf(name).recall?.(ID, call);
		expect(recalled).toEqual(from === 'the ID' ? { deleted: true, id: ID } : record);
		expect(sent).toEqual(from === 'the ID' ? [] : [{ name: from, params: { id: ID } }]);
	});
});

const valuesOf = (record: JsonRecord) => new Values((name) => record[name]);
const context = (stored: JsonRecord): PlanContext => ({
	...{ stored, timeZone: 'UTC', notice: () => undefined },
	shared: <T>(_: string, make: () => T) => make(),
});
/** The items that share a key, and the parameter that holds it. Other errors are about other rules. */
const sharingIn = (errors: ReadonlyMap<number, Error> = new Map<number, Error>()) =>
	[...errors].flatMap(([item, error]) => {
		const { code, parameter } = error instanceof InputError ? error.details : {};
		return code === 'shared_key' ? [[item, parameter]] : [];
	});

describe('items that share a key', () => {
	const due = '2040-01-01T10:00:00Z';
	const magnet = { deliveryMode: 'external_link', resourceLink: 'https://example.com/a' };
	interface Sharing {
		/** What one of two items has, but for its key. */
		readonly item: JsonRecord;
		/** What the other one has instead. */
		readonly other: JsonRecord;
		readonly key: (value: string) => JsonRecord;
		readonly parameter: string;
	}
	const inOptions = (parameter: string): Pick<Sharing, 'key' | 'parameter'> => ({
		parameter,
		key: (value) => ({ options: { [parameter]: value } }),
	});

	const SHARING: Readonly<Record<string, Sharing>> = {
		'leadMagnet.create': {
			item: { ...magnet, resourceName: 'Guide', options: { ifExists: 'return' } },
			other: { resourceLink: 'https://example.com/b' },
			...{ parameter: 'ifExists', key: (value) => ({ keyword: value }) },
		},
		'leadMagnet.upsert': {
			item: { ...magnet, resourceName: 'Guide' },
			other: { resourceLink: 'https://example.com/b' },
			...{ parameter: 'keyword', key: (value) => ({ keyword: value }) },
		},
		'post.create': { item: { text: 'a' }, other: { text: 'b' }, ...inOptions('uniqueKey') },
		'post.delete': {
			item: { postId: ID },
			other: { postId: OTHER },
			...inOptions('idempotencyKey'),
		},
		'post.startFastResponse': {
			...{ item: { postId: ID, interval: 5 }, other: { interval: 2 } },
			...inOptions('uniqueKey'),
		},
		'post.update': {
			item: { postId: ID, updateFields: { notes: 'a' } },
			other: { updateFields: { notes: 'b' } },
			...inOptions('idempotencyKey'),
		},
		'post.upsert': {
			item: { text: 'a', status: 'draft' },
			other: { text: 'b' },
			...{ parameter: 'uniqueKey', key: (value) => ({ uniqueKey: value }) },
		},
		'socialAction.create': {
			item: { workspaceId: ID, body: { due_at: due, text: 'a' } },
			other: { body: { due_at: due, text: 'b' } },
			...inOptions('uniqueKey'),
		},
	};

	it('are compared by each operation that has one', () => {
		expect(having('planBatch').sort()).toEqual(Object.keys(SHARING));
	});

	it.each(Object.entries(SHARING))('%s', (name, { item, other, key, parameter }) => {
		const errorsOf = (one: JsonRecord, two: JsonRecord) => {
			const items = [{ ...item, ...one }, {}, { ...item, ...two }];
			const [first = {}] = items;
			return sharingIn(operationOf(name).planBatch?.(items.map(valuesOf), context(first)));
		};
		expect(errorsOf(key('k'), { ...other, ...key('k') })).toEqual([
			[0, parameter],
			[2, parameter],
		]);
		expect(errorsOf(key('k'), { ...other, ...key('l') })).toEqual([]);
		expect(errorsOf(key('k'), key('k'))).toEqual([]);
		const client = { actAs: 'client', clientId: OTHER };
		expect(errorsOf(key('k'), { ...other, ...key('k'), ...client })).toEqual([]);
	});
});

describe('a shared key', () => {
	const OPTIONS = { options: { uniqueKey: 'k' } };
	const errorsOf = (
		contents: ReadonlyArray<JsonRecord | Error>,
		{ stored = OPTIONS as JsonRecord, places = [] as string[] } = {},
	) => {
		const read: number[] = [];
		const inputs = contents.map((_, item) => valuesOf({ ...OPTIONS, item }));
		const errors = sharedKeys(inputs, stored, (input) => {
			const item = Number(input.raw('item'));
			read.push(item);
			const content = contents[item];
			if (content instanceof Error) throw content;
			return { place: places[item], content: () => content ?? {} };
		});
		return { items: [...errors.keys()], read };
	};

	it('is an error for all items that have it, not for those that cannot be read', () => {
		expect(errorsOf([{ a: 1 }, { a: 1 }, { a: 2 }]).items).toEqual([0, 1, 2]);
		expect(errorsOf([{ a: 1 }, new Error('unreadable'), { a: 2 }]).items).toEqual([0, 2]);
		expect(
			errorsOf([
				{ a: 1, b: 2 },
				{ b: 2, a: 1 },
			]).items,
		).toEqual([]);
	});

	it('may be that of another place', () => {
		expect(errorsOf([{ a: 1 }, { a: 2 }, { a: 3 }], { places: ['x', 'y', 'x'] }).items).toEqual([
			...[0, 2],
		]);
	});

	it('is not looked for where there is none', () => {
		expect(errorsOf([{ a: 1 }]).read).toEqual([]);
		for (const stored of [{}, { options: {} }, { options: { idempotencyKey: 'k' } }])
			expect(errorsOf([{ a: 1 }, { a: 2 }], { stored }).read).toEqual([]);
		expect(errorsOf([{ a: 1 }, { a: 2 }], { stored: { options: '={{ $json }}' } }).read).toEqual([
			...[0, 1],
		]);
	});

	it('says what to do', () => {
		const inputs = [1, 2].map((a) => valuesOf({ a, ...OPTIONS }));
		const errors = sharedKeys(inputs, OPTIONS, (input) => ({
			content: () => ({ a: input.raw('a') }),
		}));
		expect(errors.get(0)).toMatchObject({
			message: expect.stringMatching(/^2 items .* same Unique Key/) as string,
			remedy: expect.stringContaining('its own Unique Key') as string,
		});
	});
});
