/** Which paths may lead somewhere else than they seem to. */
import { isMisleading, MAX_URL_LENGTH } from '../../nodes/LeadGenPublishing/api/misleadingPath';

it.each<[string, boolean]>([
	['/posts/a', false],
	['/posts/a.b', false],
	['/posts/..', true],
	['/posts/../clients', true],
	['/posts/.', true],
	['/posts/..;x=1/clients', true],
	['/posts/\u200b..', true],
	['\\..\\clients', true],
	['/posts/%2e%2e', true],
	['/posts/%252e%252e', true],
	['/posts/a%00', true],
	['/posts/%c0%ae', true],
	['/posts/%u002e', true],
	['/posts/%u1', false],
	['/posts/100%', false],
	// A letter that is encoded three times, and four times.
	['/posts/%252541', false],
	['/posts/%25252541', true],
])('%j: %s', (path, expected) => {
	expect(isMisleading(path)).toBe(expected);
});

it('one that is longer than common servers accept counts as one', () => {
	const ofLength = (length: number) => '/'.padEnd(length, 'a');
	expect(isMisleading(ofLength(MAX_URL_LENGTH))).toBe(false);
	expect(isMisleading(ofLength(MAX_URL_LENGTH + 1))).toBe(true);
});
