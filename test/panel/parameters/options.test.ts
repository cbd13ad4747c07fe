/** What the shared parameters and options mean, also where an expression gives nothing. */
import { InputError } from '../../../nodes/LeadGenPublishing/words/inputError';
import { keyFrom } from '../../../nodes/LeadGenPublishing/api/identifiers';
import { readClientId } from '../../../nodes/LeadGenPublishing/panel/fields/account';
import { readMoment } from '../../../nodes/LeadGenPublishing/panel/fields/moment';
import type { NoticeDetails } from '../../../nodes/LeadGenPublishing/panel/fields/notice';
import { readMustBeComplete } from '../../../nodes/LeadGenPublishing/panel/fields/paging';
import { readChoice } from '../../../nodes/LeadGenPublishing/panel/fields/requireResult';
import {
	readEtag,
	keyFromUnique,
	readOwnKey,
	readOnStaleVersion,
	readOnTeamBoostConflict,
} from '../../../nodes/LeadGenPublishing/panel/fields/retrySafety';
import { readDryRun, readUniqueKey } from '../../../nodes/LeadGenPublishing/panel/fields/uniqueKey';
import { incompleteList } from '../../../nodes/LeadGenPublishing/words/listWords';
import { Values } from '../../../nodes/LeadGenPublishing/panel/parameters/values';

const ID = '6f1c2f0e-7d4b-4a53-9d53-0c1f0a6c1b11';
type Given = Record<string, unknown>;
/** `stored`: what stands in the workflow where an expression gives what is given. */
const valuesOf = (given: Given, stored: Given = given) =>
	new Values((name) => given[name], { getStored: (name) => stored[name] });
/** What stands in the workflow where an expression gives the parameter. */
const expressionFor = (name: string): Given => ({ [name]: '={{ $json.cell }}' });
/** What the cell of a table gives where it is empty, or holds only blanks. */
const EMPTY_CELLS = [undefined, null, '', ' \n', Number.NaN];
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

const EXISTING = { choices: ['return', 'fail'], fallback: 'return' } as const;

const FRESH = 'retryWithFreshEtag';

describe('an option', () => {
	/** What it means without a value, and what it says where an expression gives nothing. */
	it.each<[name: string, label: string, read: (values: Values) => unknown, without: unknown]>([
		['idempotencyKey', 'Idempotency Key', readOwnKey, undefined],
		['uniqueKey', 'Unique Key', readUniqueKey, undefined],
		['ifExists', 'If Exists', (values) => readChoice(values, 'ifExists', EXISTING), 'return'],
		['dryRun', 'Dry Run', readDryRun, false],
		['etag', 'ETag', readEtag, undefined],
	])('%s is left out, and never so because an expression gives nothing', (...row) => {
		const [name, label, read, without] = row;
		expect([read(valuesOf({})), read(optionsOf({}))]).toEqual([without, without]);
		const problem = `${label}" is an expression that returned no value`;
		expect(errorOf(() => read(valuesOf({}, expressionFor(name))))[1]).toMatchSnapshot();
		const fromCells = EMPTY_CELLS.map((cell) => valuesOf({ [name]: cell }, expressionFor(name)));
		const fromOptions = EMPTY_CELLS.map((cell) => optionsOf({ [name]: cell }));
		for (const values of [valuesOf({}, expressionFor(name)), ...fromCells, ...fromOptions])
			expect(errorOf(() => read(values))[0]).toContain(problem);
	});

	it.each<[string, (values: Values) => unknown, Given, unknown]>([
		['no key where it is blank', readOwnKey, { idempotencyKey: ' ' }, undefined],
		['a key without blanks around it', readOwnKey, { idempotencyKey: ' mine\n' }, 'mine'],
		['a unique key, trimmed', readUniqueKey, { uniqueKey: ' row 1\n' }, 'row 1'],
		['a number as unique key', readUniqueKey, { uniqueKey: 7 }, '7'],
		['a long unique key', readUniqueKey, { uniqueKey: 'x'.repeat(255) }, 'x'.repeat(255)],
		['what to do', (v) => readChoice(v, 'ifExists', EXISTING), { ifExists: 'fail' }, 'fail'],
		['nothing to do', (v) => readChoice(v, 'ifExists', EXISTING), { ifExists: '' }, 'return'],
		['a dry run', readDryRun, { dryRun: 'true' }, true],
		['no dry run', readDryRun, { dryRun: '' }, false],
		['the reviewed etag', readEtag, { etag: ' pv_1 "a"~ ' }, 'pv_1 "a"~'],
		['the latest etag', readEtag, { etag: ' ' }, undefined],
		['a failure of a boost', readOnTeamBoostConflict, {}, 'fail'],
		['another time', readOnTeamBoostConflict, { onTeamBoostConflict: 'reschedule' }, 'reschedule'],
		['a failure, chosen', readOnTeamBoostConflict, { onTeamBoostConflict: 'fail' }, 'fail'],
		['a failure of a version', readOnStaleVersion, {}, 'fail'],
		['a failure of it, chosen', readOnStaleVersion, { onStaleVersion: 'fail' }, 'fail'],
		['a fresh etag', readOnStaleVersion, { onStaleVersion: FRESH }, FRESH],
	])('may be %s', (_, read, given, expected) => {
		expect(read(valuesOf(given))).toEqual(expected);
	});

	it.each<readonly [(values: Values) => unknown, Given]>([
		[readUniqueKey, { uniqueKey: 'x'.repeat(256) }],
		[readUniqueKey, { uniqueKey: ' ' }],
		...['pv_ü', 'üpv', 'a\tb', 'a\u007f'].map((etag) => [readEtag, { etag }] as const),
	])('is refused: %#', (read, given) => {
		expect(errorOf(() => read(valuesOf(given))).join('. ')).toMatchSnapshot();
	});

	it('Dry Run is what its expression gives', () => {
		const of = (dryRun: boolean) => readDryRun(valuesOf({ dryRun }, expressionFor('dryRun')));
		expect([of(true), of(false)]).toEqual([true, false]);
	});
});

it('a key is made of the Unique Key where an operation has it, however its letters are composed', () => {
	const fromUnique = (given: Given) =>
		keyFromUnique(valuesOf(given), {
			...{ stableKey: () => 'stable', request: ['update', 'x'], subject: ['start', 'y'] },
		});
	expect(fromUnique({})).toBe(keyFrom('stable', 'update', 'x'));
	expect(fromUnique({ uniqueKey: ' row-1 ' })).toBe(keyFrom('start', 'y', 'row-1'));
	expect(fromUnique({ uniqueKey: 'e\u0301' })).toBe(fromUnique({ uniqueKey: '\u00e9' }));
});

describe('a key that several items would share', () => {
	const containing = (word: string): string =>
		`contains "${word}", so a value in its expression is probably missing`;
	const READERS = [
		['Idempotency Key', readOwnKey],
		['Unique Key', readUniqueKey],
	] as const;
	/** A template, of which n8n has made the value; `parts` are the values of its expressions. */
	const templated = (template: string, value: unknown, parts: Given = {}) =>
		new Values(() => value, {
			getStored: () => template,
			evaluate: (expression) => parts[expression],
		});

	it.each<[string, unknown, string]>([
		['={{ $json.id }}', 2 ** 62, 'is a number with too many digits to be stored exactly'],
		['={{ $json.key }}', 'row-undefined', containing('undefined')],
		['={{ $json.key }}', 'row_null', containing('null')],
		['={{ $json.key }}', 'undefined-row', containing('undefined')],
		['={{ $json.key }}', 'row/NaN', containing('NaN')],
		['={{ $json.key }}', 'a-null-b', containing('null')],
		['={{ $json.key }}', 'row-[object Object]', containing('[object Object]')],
		['={{ $json.key }}', 'Invalid Date', containing('Invalid Date')],
		['={{ $json.key }}', ' Invalid DateTime ', containing('Invalid Date')],
		...['undefined', 'null', ' NaN '].map((value): [string, unknown, string] => [
			'={{ $json.key }}',
			value,
			'contains an expression that returned no value: {{ $json.key }}',
		]),
		[
			"={{ 'row' + $json.id }}",
			'rowundefined',
			'contains an expression that returned no value: {{ $json.id }}',
		],
		[
			'={{ `k${$json.n * 2}` }}',
			'kNaN',
			'contains an expression that returned no value: {{ $json.n * 2 }}',
		],
		['=row-{{ [] }}', 'row-', 'contains an expression that returned no value: {{ [] }}'],
		["={{ $json.list.join('-') }}", '-', 'is an expression that returned no letters or digits'],
		[
			"={{ ['row', $json.id].join('-') }}",
			'row-',
			'contains an expression that returned no value: {{ $json.id }}',
		],
		[
			'=row-{{ $json.id }}',
			'row-',
			'contains an expression that returned no value: {{ $json.id }}',
		],
		[
			`={{ $json.${'x'.repeat(60)} }}-{{ 1 }}`,
			'-1',
			`contains an expression that returned no value: {{ $json.${'x'.repeat(50)}…`,
		],
	])('is refused: %s gives %j', (template, value, problem) => {
		for (const [label, read] of READERS) {
			const [message, remedy] = errorOf(() =>
				read(templated(template, value, { '{{ 1 }}': 1, '{{ [] }}': [] })),
			);
			expect(message).toBe(`The parameter "${label}" ${problem}`);
			expect(remedy).toContain('that only this item has');
		}
	});

	it('is refused for the first part that gives nothing', () => {
		const values = templated('=a-{{ 1 }}-{{ "" }}-{{ null }}', 'a-1--', {
			'{{ 1 }}': 1,
		});
		expect(errorOf(() => readUniqueKey(values))[0]).toMatch(/returned no value: \{\{ "" \}\}$/);
	});

	it.each<[template: string, value: unknown, parts?: Given]>([
		['null', 'null'],
		['row-undefined', 'row-undefined'],
		['={{ 42 }}', 42],
		['={{ $json.id }}', 9_007_199_254_740_991],
		['={{ $json.id }}', 7.5],
		['={{ "nullable-" + "undefined1" }}', 'nullable-undefined1'],
		['=row-{{ 7 }}-{{ "a" }}', 'row-7-a', { '{{ 7 }}': 7, '{{ "a" }}': 'a' }],
		['=row-{{ 0 }}', 'row-0', { '{{ 0 }}': 0 }],
	])('is not %s, which gives %j', (...[template, value, parts]) => {
		for (const [, read] of READERS)
			expect(read(templated(template, value, parts))).toBe(String(value));
	});
});

it.each<[template: string, value: string, parts?: Given]>([
	['={{ $json.title }}', 'What null means in SQL'],
	['={{ $json.title }}', 'Undefined, NaN and null'],
	['={{ $json.emoji }}', '🎁'],
	["={{ $json.a + ' ' + $json.b }}", '1 2', { '{{ $json.a }}': 1, '{{ $json.b }}': 2 }],
])('a unique key may be a sentence: %s, which gives %j', (template, value, parts = {}) => {
	const values = new Values(() => value, {
		getStored: () => template,
		evaluate: (expression) => parts[expression],
	});
	expect(readUniqueKey(values)).toBe(value);
});

describe('the account', () => {
	const stored = { actAs: '={{ $json.who }}' };

	it('is the own one, unless the workflow says another', () => {
		expect(readClientId(valuesOf({}))).toBeUndefined();
		expect(readClientId(valuesOf({ actAs: 'own', clientId: ID }))).toBeUndefined();
		expect(readClientId(valuesOf({ actAs: 'client', clientId: ID }))).toBe(ID);
	});

	it('is not the own one where an expression gives nothing, or names a client beside it', () => {
		expect(errorOf(() => readClientId(valuesOf({}, stored)))[0]).toContain('"Act As" is empty');
		expect(readClientId(valuesOf({ actAs: 'own', clientId: ' ' }, stored))).toBeUndefined();
		expect(errorOf(() => readClientId(valuesOf({ actAs: 'own', clientId: ID }, stored)))).toEqual([
			'The parameter "Act As" is "own", but "Client" is filled in',
			'Set "Act As" to "client" for this item, or leave "Client" empty.',
		]);
	});
});

describe('a list', () => {
	it('may lack records, unless the user says otherwise', () => {
		const of = (onIncompleteList: unknown) =>
			readMustBeComplete(valuesOf({ options: { onIncompleteList } }));
		expect(['return', undefined, '', 'fail'].map(of)).toEqual([false, false, false, true]);
		const stored = { options: { onIncompleteList: '={{ $json.cell }}' } };
		for (const onIncompleteList of EMPTY_CELLS)
			expect(
				errorOf(() => readMustBeComplete(valuesOf({ options: { onIncompleteList } }, stored)))[0],
			).toContain('"Options > On Incomplete List" is an expression that returned no value');
		expect(incompleteList('leads')).toMatchObject({
			message:
				'The list of leads is incomplete: the service reported more records than it returned',
			details: { code: 'incomplete_list', retryable: true },
		});
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
	const TIMES = '{count} values of "At" are times that';

	it.each<string[]>([
		[
			...['skipped', '2030-03-31T02:30', '2030-03-31T01:30', '2030-03-31 03:30'],
			`${TIMES} do not exist in Europe/Berlin, because the clocks go forward. The node used later times`,
			'The node used a later time: 2030-03-31 03:30.',
		],
		[
			...['repeated', '2030-10-27T02:30', '2030-10-27T00:30', '2030-10-27 02:30'],
			`${TIMES} occur twice in Europe/Berlin, because the clocks go back. The node used the first ones`,
			'The node used the first one: 2030-10-27 02:30. To use a different one',
		],
	])('because it is %s is told once for many items', (...row) => {
		const [what = '', at = '', utc = '', label = '', summary = '', message = ''] = row;
		const group = { key: `${what}-At`, summary, label };
		expect(told(at)).toEqual({
			read: `${utc}:00.000Z`,
			said: [[expect.stringContaining(message), { group }]],
		});
	});

	it('is nothing to speak of otherwise', () => {
		expect(told(' ')).toEqual({ said: [] });
		expect(errorOf(() => told('soon'))[0]).toContain('is not an ISO 8601 date and time');
		expect(told('2030-10-27T12:30')).toEqual({ read: '2030-10-27T11:30:00.000Z', said: [] });
	});
});
