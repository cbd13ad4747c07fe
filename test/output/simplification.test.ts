/** The shapes of a record: all of it, what most workflows need, or what was selected. */
import { filledOrNull, profileUrlOf } from '../../nodes/LeadGenPublishing/output/profileUrl';
import { simplify } from '../../nodes/LeadGenPublishing/output/record';

const flat = ({ inner, ...rest }: Record<string, unknown>, word?: string) => ({
	...{ ...rest, flat: inner, word },
});
const RECORD = { a: 1, inner: { b: 2 }, already_existed: true };

it('is simplified as a whole, or to some fields and whether it existed', () => {
	expect(simplify({ what: 'x', flat }, RECORD, { networkWord: 'network' })).toEqual({
		...{ a: 1, already_existed: true, flat: { b: 2 }, word: 'network' },
	});
	const fields = ['flat', 'none'];
	expect(Object.entries(simplify({ what: 'x', flat, fields }, RECORD))).toEqual([
		['flat', { b: 2 }],
		['already_existed', true],
	]);
});

it('has the selected fields of both shapes, in the order in which they were named', () => {
	const names = ['word', 'inner', 'none', 'flat', 'a'];
	const selected = simplify({ what: 'x', flat }, RECORD, { names, networkWord: 'network' });
	expect(Object.entries(selected)).toEqual([
		['word', 'network'],
		['inner', { b: 2 }],
		['flat', { b: 2 }],
		['a', 1],
	]);
});

it('an address that is no text stays as it is, and an empty one is none', () => {
	expect([7, false, ' ', '', null, undefined, ' a '].map(filledOrNull)).toEqual([
		...[7, false, null, null, null, null, ' a '],
	]);
	expect(profileUrlOf({ profile_url: 7, network_profile_url: 'https://x.example' })).toEqual({
		url: 7,
	});
	expect(profileUrlOf({ profile_url: ' ', network_profile_url: 'https://x.example' })).toEqual({
		...{ url: 'https://x.example', field: 'network_profile_url' },
	});
});
