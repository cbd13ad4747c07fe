/** A report shows nothing that a person may have written: what is shown of values, names and codes. */
import {
	andOf,
	fieldNames,
	inShort,
	inWords,
	leftInWords,
	routeInWords,
	saysOf,
	shownValue,
} from '../../nodes/LeadGenPublishing/diagnose/judge/words';
import type { RequestOutcome } from '../../nodes/LeadGenPublishing/diagnose/facts';
import { asked, refusal, refused, silent } from './facts';

it('lists each value once, and says how many are left out', () => {
	expect(inWords(['a', 'b', 'a'])).toBe('a, b');
	expect(inWords(['a', 'b', 'c'], 3)).toBe('a, b, c');
	expect(inWords(['a', 'b', 'c', 'd'], 2)).toBe('a, b and 2 more');
	expect([andOf([]), andOf(['a', 'a']), andOf(['a', 'b']), andOf(['a', 'b', 'c'])]).toEqual([
		...['', 'a', 'a and b', 'a, b and c'],
	]);
});

it('names a route, and what is left behind', () => {
	expect(routeInWords('post.get')).toBe('GET /posts/{id}');
	expect(routeInWords('account.getApiInfo')).toBe('GET the base');
	expect(leftInWords({ what: 'draft', name: 'x', isCertain: true })).toBe('draft x');
	expect(leftInWords({ what: 'draft', name: 'x', isCertain: false })).toBe(
		'perhaps a draft marked x',
	);
});

it.each<[RequestOutcome, string]>([
	[{ kind: 'success', body: {} }, 'responded'],
	[refusal(404), 'HTTP 404'],
	[{ ...refusal(404), code: 'not_found' }, 'HTTP 404 not_found'],
	[
		{ ...refusal(409), code: 'conflict', reason: 'provider_ambiguous' },
		'HTTP 409 provider_ambiguous',
	],
	[{ ...refusal(409), code: 'conflict', reason: '' }, 'HTTP 409 conflict'],
	[
		{ ...refusal(409), reason: 'pronet_organization_not_found' },
		'HTTP 409 network_organization_not_found',
	],
	[{ ...refusal(400), code: 'ada_marlowe' }, 'HTTP 400 with a code that is not in the document'],
	[{ ...refusal(400), hasEnvelope: false }, 'HTTP 400, without the documented envelope'],
	[{ kind: 'unreadable', status: 200, problem: 'webPage' }, 'HTTP 200 with a web page (HTML)'],
	[{ kind: 'unreadable', status: 200 }, 'HTTP 200 with no response'],
	[{ kind: 'redirected', status: 302 }, 'HTTP 302, a redirect'],
	[silent('lost', 'timedOut'), 'timed out'],
	[{ kind: 'unsent', why: 'limit' }, 'not sent'],
])('%j: %s', (outcome, words) => {
	expect(inShort(outcome)).toBe(words);
});

it('quotes the first message of the service that says something', () => {
	const says = (message: string) => asked('post.get', { ...refusal(400), message });
	expect(saysOf([refused('post.get', 400), says(' '), says('No'), says('Yes')])).toBe('No');
	expect(saysOf([refused('post.get', 400), asked('post.get', { kind: 'success', body: {} })])).toBe(
		undefined,
	);
});

const many = (count: number) =>
	Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${at}`, 1]));

it.each<[what: string, objects: unknown[], shown: string[]]>([
	['fields', [{ id: 1, created_at: 2 }, { id: 3 }], ['id', 'created_at']],
	['fields of what is an object', [null, 'x', { id: 1 }, [1]], ['id']],
	['nothing', [{}], []],
	['forty of one record', [many(40)], Object.keys(many(40))],
	['more than forty', [many(41)], ['(41 keys)']],
	['a name that is written by people', [{ 'Ada Marlowe': 1, id: 2 }], ['(2 keys)']],
	['a name with a number', [{ post_123: 1 }], ['(1 key)']],
	['a name that is too long', [{ ['x'.repeat(41)]: 1 }], ['(1 key)']],
	['the longest name', [{ ['x'.repeat(40)]: 1 }], ['x'.repeat(40)]],
	['other names in each record', [{ ada: 1 }, { ben: 1 }, { cleo: 1 }], ['(3 keys)']],
	['a name in half of them', [{ id: 1, ada: 1 }, { ben: 1 }], ['id', 'ada', 'ben']],
	['objects that are all alike', [{ ada: { n: 1, m: 2 }, ben: { m: 3, n: 4 } }], ['(2 keys)']],
	['a single object', [{ ada: { n: 1 } }], ['ada']],
	['objects that differ', [{ work: { n: 1 }, home: { m: 1 } }], ['work', 'home']],
	['an object beside a value', [{ work: { n: 1 }, home: 1 }], ['work', 'home']],
])('of %s, these names are shown', (_, objects, shown) => {
	expect(fieldNames(objects)).toEqual(shown);
});

it('counts names that are known to be data', () => {
	expect(fieldNames([{ guide: 1, id: 2 }], (name) => name === 'guide')).toEqual(['(2 keys)']);
});

it.each([
	['draft', 'draft'],
	['in_review', 'in_review'],
	['on-hold', 'on-hold'],
	['Scheduled', 'Scheduled'],
	['PDF', 'PDF'],
	['Ada', '(a value not shown)'],
	['ada marlowe', '(a value not shown)'],
	['_x', '(a value not shown)'],
	['a'.repeat(30), 'a'.repeat(30)],
	['a'.repeat(31), '(a value not shown)'],
	[7, 'a number'],
	[false, 'a boolean'],
	[null, 'null'],
	[{}, 'an object or a list'],
	[[], 'an object or a list'],
])('the value %j is shown as %j', (value, shown) => {
	expect(shownValue(value)).toBe(shown);
});
