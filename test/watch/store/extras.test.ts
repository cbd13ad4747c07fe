/** What stands beside the lists: an invalid part is left out, and the others stay. */
import {
	readExtras,
	sealExtras,
	type Extras,
} from '../../../nodes/LeadGenPublishing/watch/store/extras';
import { emptyWatch } from '../../../nodes/LeadGenPublishing/watch/store/state';

const failure = { account: 'own', kind: 'no-id', message: 'm' };
const owner = { kind: 'user_id', digest: 'd', lasting: true };
const several = { ...owner, others: ['e', 'f'] };
const own = { credential: 'c', list: 'own', owners: { own: owner, own2: null, own3: several } };
const whole: Extras = {
	own,
	damaged: true,
	departures: { away: { 's.a': 5 }, at: 7, forgotten: ['f'] },
	statuses: ['draft'],
	news: [failure],
};
const NONE: Extras = { departures: { away: {}, forgotten: [] }, statuses: [], news: [] };

const read = (extras: unknown) => readExtras({ ...emptyWatch('line'), extras });
const readWith = (changes: object) => read({ ...(sealExtras(whole) as object), ...changes });
const { own: _own, ...withoutOwn } = whole;

it('is read as it was written', () => {
	expect(read(sealExtras(whole))).toStrictEqual(whole);
	expect(read(sealExtras(withoutOwn))).toStrictEqual(withoutOwn);
	expect(sealExtras(withoutOwn)).toStrictEqual(withoutOwn);
});

it.each([[undefined], [null], ['text'], [7], [[whole]], [{}]])(
	'nothing is read from %p',
	(extras) => {
		expect(read(extras)).toStrictEqual(NONE);
	},
);

it.each([[false], ['true'], [1], [null]])('damage is not told by %p', (damaged) => {
	expect(readWith({ damaged })).not.toHaveProperty('damaged');
});

describe('whose the key is', () => {
	it.each<[string, object]>([
		['a credential that is no text', { credential: 7 }],
		['a list that is no text', { list: null }],
		['an owner of another kind', { owners: { own: { ...owner, kind: 7 } } }],
		['an owner without a digest', { owners: { own: { ...owner, digest: undefined } } }],
		['an owner that may or may not last', { owners: { own: { ...owner, lasting: 'yes' } } }],
		['an owner with others that are text', { owners: { own: { ...owner, others: 'e' } } }],
		['an owner with others that are none', { owners: { own: { ...owner, others: ['e', 7] } } }],
		[
			'an owner with more others than are written',
			{ owners: { own: { ...owner, others: Array<string>(8).fill('e') } } },
		],
		['an owner that is text', { owners: { own: 'user_id' } }],
		['owners that are text', { owners: 'text' }],
		['owners that are none', { owners: null }],
	])('is not known from %s, though the checksum fits', (_, changes) => {
		const extras = sealExtras({ ...whole, own: { ...own, ...changes } as never });
		expect(read(extras)).toStrictEqual(withoutOwn);
	});

	it.each([
		['credential', 'x'],
		['list', 'own2'],
		['owners', {}],
		['sum', 'x'],
		['sum', undefined],
	])('is not known where its %s was changed', (name, value) => {
		const sealed = sealExtras(whole) as { own: object };
		expect(readWith({ own: { ...sealed.own, [name]: value } })).toStrictEqual(withoutOwn);
	});

	it.each([[undefined], [null], ['own'], [[own]]])('is not known from %p', (value) => {
		expect(readWith({ own: value })).toStrictEqual(withoutOwn);
	});
});

it.each<[string, object, Partial<Extras>]>([
	['a time that is none', away({ 's.a': 5, 's.b': '5', 's.c': null }), departed({ 's.a': 5 })],
	['times that are text', away('text'), departed({})],
	[
		'a time of writing that is none',
		{ departures: { away: { 's.a': 5 }, at: '7', forgotten: [] } },
		departed({ 's.a': 5 }, []),
	],
	['names that are none', forgotten(['f', 7, null, 'g']), departed({ 's.a': 5 }, ['f', 'g'])],
	['names that are text', forgotten('text'), departed({ 's.a': 5 }, [])],
	['departures that are text', { departures: 'text' }, departed({}, [])],
	['statuses that are none', { statuses: ['draft', 7, null] }, { statuses: ['draft'] }],
	['statuses that are text', { statuses: 'draft' }, { statuses: [] }],
	['news that are none', { news: [failure, null, { account: 'own' }] }, { news: [failure] }],
	['news that are text', { news: 'text' }, { news: [] }],
	['a mark that is text', { mark: 'text' }, {}],
	['a mark, to be verified by what opens it', { mark: { x: 1 } }, { mark: { x: 1 } as never }],
])('%s: what can be read is', (_, changes, expected) => {
	expect(readWith(changes)).toStrictEqual({ ...whole, ...expected });
});

function away(value: unknown): object {
	return { departures: { away: value, forgotten: ['f'] } };
}
function forgotten(value: unknown): object {
	return { departures: { away: { 's.a': 5 }, forgotten: value } };
}
function departed(times: Record<string, number>, names: readonly string[] = ['f']) {
	return { departures: { away: times, forgotten: names } };
}
