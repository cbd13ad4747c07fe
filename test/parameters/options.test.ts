/** What the shared parameters and options mean, also where an expression gives nothing. */
import { InputError } from '../../nodes/LeadGenPublishing/api/failure';
import { keyFrom } from '../../nodes/LeadGenPublishing/api/identifiers';
import { readAccount } from '../../nodes/LeadGenPublishing/fields/account';
import {
	failCustomFields,
	readCustomFields,
} from '../../nodes/LeadGenPublishing/fields/customFields';
import { hasEmailQuery, sourceQuery } from '../../nodes/LeadGenPublishing/fields/filters';
import { readBody } from '../../nodes/LeadGenPublishing/fields/freeBody';
import { readMoment } from '../../nodes/LeadGenPublishing/fields/moment';
import type { NoticeDetails } from '../../nodes/LeadGenPublishing/fields/notice';
import { readShape } from '../../nodes/LeadGenPublishing/operations/shape';
import {
	incompleteList,
	readMustBeComplete,
	readWanted,
} from '../../nodes/LeadGenPublishing/fields/paging';
import {
	readEtag,
	keyFromUnique,
	readKey,
	readOnStaleVersion,
	readOnTeamBoostConflict,
} from '../../nodes/LeadGenPublishing/fields/retrySafety';
import { readMaxWaitMs } from '../../nodes/LeadGenPublishing/fields/shared';
import {
	readDryRun,
	readIfExists,
	readUniqueKey,
} from '../../nodes/LeadGenPublishing/fields/uniqueKey';
import { Values } from '../../nodes/LeadGenPublishing/parameters/values';

const ID = '6f1c2f0e-7d4b-4a53-9d53-0c1f0a6c1b11';
type Given = Record<string, unknown>;
/** `stored`: what stands in the workflow where an expression gives what is given. */
const valuesOf = (given: Given, stored: Given = given) =>
	new Values(
		(name) => given[name],
		undefined,
		(name) => stored[name],
	);
/** Of an expression that gives nothing. */
const nothingFor = (name: string): [Given, Given] => [{}, { [name]: '={{ $json.nothing }}' }];
/** What the cell of a table gives where it is empty, or holds only blanks. */
const EMPTY_CELLS = [undefined, null, '', ' \n', Number.NaN];
const cellsFor = (name: string): Array<[Given, Given]> =>
	EMPTY_CELLS.map((cell) => [{ [name]: cell }, { [name]: '={{ $json.cell }}' }]);
/** All options by one expression. */
const optionsOf = (options: Given) =>
	valuesOf({ options }, { options: '={{ $json }}' }).collection('options');

function errorOf(read: () => unknown): [message: string, remedy: string] {
	try {
		read();
	} catch (error) {
		if (error instanceof InputError) return [error.message, error.remedy];
	}
	throw new Error('No InputError');
}

describe('an idempotency key', () => {
	const of = { stableKey: () => 'stable', request: ['update', 'x'] };
	const readWith = (given: Given) => readKey(valuesOf(given), of);
	const fromUnique = (given: Given) =>
		keyFromUnique(valuesOf(given), { ...of, subject: ['start', 'y'] });

	it('is made of the item and the request', () => {
		expect(readWith({})).toBe(keyFrom('stable', 'update', 'x'));
		expect(readWith({ idempotencyKey: ' ' })).toBe(keyFrom('stable', 'update', 'x'));
		expect(fromUnique({})).toBe(keyFrom('stable', 'update', 'x'));
	});

	it('is made of the Unique Key for operations that have it, however its letters are composed', () => {
		expect(fromUnique({ uniqueKey: ' row-1 ' })).toBe(keyFrom('start', 'y', 'row-1'));
		expect(fromUnique({ uniqueKey: 'e\u0301' })).toBe(fromUnique({ uniqueKey: '\u00e9' }));
	});

	it('is the user’s own, without blanks around it, and refused if it fits no header', () => {
		expect(readWith({ idempotencyKey: ' mine\n' })).toBe('mine');
		expect(errorOf(() => readWith({ idempotencyKey: 'a b' }))[0]).toContain('visible ASCII');
	});

	it('is not made by the node where an expression of the user gives none', () => {
		const read = (values: Values) => () =>
			readKey(values, { stableKey: () => 'stable', request: ['x'] });
		for (const cell of [
			...cellsFor('idempotencyKey').map((given) => valuesOf(...given)),
			...EMPTY_CELLS.map((idempotencyKey) => optionsOf({ idempotencyKey })),
		])
			expect(errorOf(read(cell))).toEqual([
				expect.stringContaining('Idempotency Key" is an expression that gives nothing'),
				'Map a key that only this item has, or remove the option.',
			]);
		expect(read(optionsOf({}))()).toBe(keyFrom('stable', 'x'));
	});
});

describe('a Unique Key', () => {
	const readOf = (...given: [Given, Given?]) => readUniqueKey(valuesOf(...given));

	it('is not there without the option', () => {
		expect(readOf({})).toBeUndefined();
	});

	it('is trimmed, and has 255 characters at most', () => {
		expect(readOf({ uniqueKey: ' row 1\n' })).toBe('row 1');
		expect(readOf({ uniqueKey: 7 })).toBe('7');
		expect(readOf({ uniqueKey: 'x'.repeat(255) })).toHaveLength(255);
		expect(errorOf(() => readOf({ uniqueKey: 'x'.repeat(256) }))[0]).toBe(
			'The parameter "Unique Key" has 256 characters, but at most 255 are allowed',
		);
	});

	it('is never left out because it is empty', () => {
		const remedy =
			'Map a value that only this item has, such as the ID of its row, or remove the option.';
		expect(errorOf(() => readOf(...nothingFor('uniqueKey')))).toEqual([
			'The parameter "Unique Key" is an expression that gives nothing',
			remedy,
		]);
		expect(errorOf(() => readOf({ uniqueKey: ' ' }))).toEqual([
			'The parameter "Unique Key" is empty',
			remedy,
		]);
		expect(readUniqueKey(optionsOf({ uniqueKey: 'row' }))).toBe('row');
		expect(readUniqueKey(optionsOf({}))).toBeUndefined();
		for (const uniqueKey of EMPTY_CELLS)
			expect(errorOf(() => readUniqueKey(optionsOf({ uniqueKey })))[0]).toContain('gives nothing');
	});
});

describe('If Exists', () => {
	const choose = (...given: [Given, Given?]) =>
		readIfExists(valuesOf(...given), { choices: ['return', 'fail'], fallback: 'return' });

	it('is what was chosen, or else what is assumed', () => {
		expect(['fail', 'return'].map((ifExists) => choose({ ifExists }))).toEqual(['fail', 'return']);
		expect([choose({}), choose({ ifExists: '' })]).toEqual(['return', 'return']);
	});

	it('is not assumed where an expression gives nothing', () => {
		expect(errorOf(() => choose(...nothingFor('ifExists')))[0]).toBe(
			'The parameter "If Exists" is an expression that gives nothing',
		);
		for (const cell of cellsFor('ifExists'))
			expect(errorOf(() => choose(...cell))[0]).toContain('gives nothing');
	});
});

describe('Dry Run', () => {
	it('is off, unless it is switched on', () => {
		const of = (dryRun: unknown) => readDryRun(valuesOf({ dryRun }));
		expect([undefined, '', false, true, 'true'].map(of)).toEqual([false, false, false, true, true]);
	});

	it('is what an expression gives, which must give something', () => {
		const stored = { dryRun: '={{ $json.dry }}' };
		const of = (dryRun: unknown) => readDryRun(valuesOf({ dryRun }, stored));
		expect([of(true), of(false)]).toEqual([true, false]);
		expect(errorOf(() => of(' '))[0]).toBe(
			'The parameter "Dry Run" is an expression that gives nothing',
		);
		for (const dryRun of EMPTY_CELLS)
			expect(errorOf(() => readDryRun(optionsOf({ dryRun })))[0]).toContain('gives nothing');
	});
});

describe('an etag', () => {
	it('is the reviewed one, or the latest where none is given', () => {
		expect(readEtag(valuesOf({ etag: ' pv_1 "a"~ ' }))).toBe('pv_1 "a"~');
		expect([readEtag(valuesOf({})), readEtag(valuesOf({ etag: ' ' }))]).toEqual([
			undefined,
			undefined,
		]);
	});

	it('is not the latest where an expression gives nothing', () => {
		expect(errorOf(() => readEtag(valuesOf(...nothingFor('etag'))))[0]).toBe(
			'The parameter "ETag" is an expression that gives nothing',
		);
		for (const cell of cellsFor('etag'))
			expect(errorOf(() => readEtag(valuesOf(...cell)))[0]).toContain('gives nothing');
		for (const etag of EMPTY_CELLS)
			expect(errorOf(() => readEtag(optionsOf({ etag })))[0]).toContain('gives nothing');
	});

	it.each(['ü', 'pv_ü', 'üpv', 'a\tb', 'a\u007f'])('fits a header: not %j', (etag) => {
		expect(errorOf(() => readEtag(valuesOf({ etag })))[0]).toBe(
			'The parameter "ETag" may hold only visible ASCII characters',
		);
	});
});

it('a conflict fails, unless something else is chosen', () => {
	const failing = valuesOf({ onTeamBoostConflict: 'fail', onStaleVersion: 'fail' });
	expect([readOnTeamBoostConflict(failing), readOnStaleVersion(failing)]).toEqual(['fail', 'fail']);
	const options = valuesOf({
		onTeamBoostConflict: 'reschedule',
		onStaleVersion: 'retryWithFreshEtag',
	});
	expect([readOnTeamBoostConflict(valuesOf({})), readOnTeamBoostConflict(options)]).toEqual([
		'fail',
		'reschedule',
	]);
	expect([readOnStaleVersion(valuesOf({})), readOnStaleVersion(options)]).toEqual([
		'fail',
		'retryWithFreshEtag',
	]);
});

describe('the account', () => {
	const stored = { actAs: '={{ $json.who }}' };

	it('is the own one, unless the workflow says another', () => {
		expect(readAccount(valuesOf({}))).toEqual({ kind: 'own' });
		expect(readAccount(valuesOf({ actAs: 'own', clientId: ID }))).toEqual({ kind: 'own' });
		expect(readAccount(valuesOf({ actAs: 'client', clientId: ID }))).toEqual({
			kind: 'client',
			clientId: ID,
		});
	});

	it('is not the own one where an expression gives nothing, or names a client beside it', () => {
		expect(errorOf(() => readAccount(valuesOf({}, stored)))[0]).toContain('"Act As" is empty');
		expect(readAccount(valuesOf({ actAs: 'own', clientId: ' ' }, stored))).toEqual({ kind: 'own' });
		expect(errorOf(() => readAccount(valuesOf({ actAs: 'own', clientId: ID }, stored)))).toEqual([
			'The parameter "Act As" is "own", although a client is given in "Client"',
			'Let "Act As" give "client" for this item, or let "Client" give nothing.',
		]);
	});
});

describe('the shape of a record', () => {
	it('is simplified, unless the user switches that off', () => {
		const of = (simplify: unknown) => readShape(valuesOf({ simplify })).kind;
		expect([undefined, '', true, false].map(of)).toEqual([
			'simplified',
			'simplified',
			'simplified',
			'raw',
		]);
	});

	it('is what "Output" says where that is stored, whatever Simplify says', () => {
		const of = (output: unknown) =>
			readShape(valuesOf({ output, simplify: false, fields: 'a, b' }));
		expect(['raw', 'simplified', '', 'selectedFields'].map(of)).toEqual([
			...[{ kind: 'raw' }, { kind: 'simplified' }, { kind: 'simplified' }],
			{ kind: 'selectedFields', names: ['a', 'b'] },
		]);
		expect(readShape(valuesOf({ fields: [1], output: 'selectedFields' }))).toMatchObject({
			names: ['1'],
		});
	});

	it('needs a field where fields are selected', () => {
		const of = (fields: unknown) => () => readShape(valuesOf({ output: 'selectedFields', fields }));
		for (const fields of ['', undefined, [], [' ']])
			expect(errorOf(of(fields))[0]).toBe('The parameter "Fields" is empty');
	});
});

describe('a list', () => {
	it('has as many records as "Limit" says, at least one, or all', () => {
		expect(readWanted(valuesOf({ limit: 1 }))).toBe(1);
		expect(readWanted(valuesOf({ returnAll: false, limit: 70 }))).toBe(70);
		expect(readWanted(valuesOf({ returnAll: true, limit: 'x' }))).toBeUndefined();
		expect(errorOf(() => readWanted(valuesOf({ limit: 0 })))[0]).toContain('at least 1');
	});

	it('may lack records, unless the user says otherwise', () => {
		const of = (onIncompleteList: unknown) =>
			readMustBeComplete(valuesOf({ options: { onIncompleteList } }));
		expect(['return', undefined, '', 'fail'].map(of)).toEqual([false, false, false, true]);
		const stored = { options: { onIncompleteList: '={{ $json.cell }}' } };
		for (const onIncompleteList of EMPTY_CELLS)
			expect(
				errorOf(() => readMustBeComplete(valuesOf({ options: { onIncompleteList } }, stored)))[0],
			).toContain('"Options > On Incomplete List" is an expression that gives nothing');
		expect(incompleteList('leads')).toMatchObject({
			message: 'The list of leads is incomplete: the service announced more than it gave',
			details: { code: 'incomplete_list', retryable: true },
		});
	});

	it('is filtered by what was added to the filters', () => {
		const email = (given: Given) => hasEmailQuery(valuesOf(given));
		expect([email({}), email({ hasEmail: null }), email({ hasEmail: 'no' })]).toEqual([
			{},
			{},
			{ has_email: false },
		]);
		expect(email({ hasEmail: true })).toEqual({ has_email: true });
		expect(sourceQuery(valuesOf({ source: ' comment ' }))).toEqual({ source: 'comment' });
		expect(sourceQuery(valuesOf({ source: ' ' }))).toEqual({});
	});
});

it('an item may take as long as the user says, from nothing to an hour', () => {
	const of = (maxWaitSeconds: unknown) => readMaxWaitMs(valuesOf({ options: { maxWaitSeconds } }));
	expect([undefined, '', 0, '2', 3600].map(of)).toEqual([
		undefined,
		undefined,
		0,
		2_000,
		3_600_000,
	]);
	for (const wrong of [-1, 3601]) expect(errorOf(() => of(wrong))[0]).toContain('from 0 to 3600');
});

describe('custom fields', () => {
	it('are read from the options alone; what is nothing is none', () => {
		const input = valuesOf({
			customFields: { a: 1 },
			options: { customFields: { b: 3, c: undefined, e: null } },
		});
		expect(readCustomFields(input)).toStrictEqual({ b: 3, e: null });
		const told = failCustomFields(input, 'is odd', 'Mend it.');
		expect([told.message, told.remedy]).toEqual([
			'The parameter "Options > Custom Fields" is odd',
			'Mend it.',
		]);
	});

	it('are not needed where the user writes the body', () => {
		expect(readBody(valuesOf({ body: '{"a": 1, "b": 2}' }))).toEqual({ a: 1, b: 2 });
		expect(readBody(valuesOf({}))).toEqual({});
	});
});

describe('a time that clocks do not show just once', () => {
	const told = (at: string) => {
		const said: Array<[string, NoticeDetails | undefined]> = [];
		const read = readMoment(valuesOf({ at }), 'at', {
			timeZone: 'Europe/Berlin',
			notice: (message, details) => said.push([message, details]),
		});
		return { read, said };
	};

	it('because they skip it is said to be moved, once for many items', () => {
		expect(told('2030-03-31T02:30')).toEqual({
			read: '2030-03-31T01:30:00.000Z',
			said: [
				[
					'"At" holds a time that clocks in Europe/Berlin skip when they go forward. It was moved forward to 2030-03-31 03:30.',
					{
						group: {
							key: 'skipped-At',
							summary:
								'{count} values of "At" are times that clocks in Europe/Berlin skip; they were moved forward',
							label: '2030-03-31 03:30',
						},
					},
				],
			],
		});
	});

	it('because they show it twice is said to be the first one', () => {
		expect(told('2030-10-27T02:30')).toEqual({
			read: '2030-10-27T00:30:00.000Z',
			said: [
				[
					expect.stringContaining(
						'show twice, since they go back then: 2030-10-27 02:30. The first',
					),
					{
						group: {
							key: 'repeated-At',
							summary:
								'{count} values of "At" are times that clocks in Europe/Berlin show twice; the first one was taken',
							label: '2030-10-27 02:30',
						},
					},
				],
			],
		});
	});

	it('is nothing to speak of otherwise', () => {
		expect(told(' ')).toEqual({ said: [] });
		expect(errorOf(() => told('soon'))[0]).toContain('is not a date with a time in ISO 8601');
		expect(told('2030-10-27T12:30')).toEqual({ read: '2030-10-27T11:30:00.000Z', said: [] });
	});
});
