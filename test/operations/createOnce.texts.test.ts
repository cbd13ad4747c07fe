/** When a stored text is the one that was sent, or the beginning of it. */
import {
	comparable,
	isBeginningOf,
	withoutEllipsis,
} from '../../nodes/LeadGenPublishing/operations/createOnce/comparable';

describe('texts', () => {
	it('are compared without escapes, line ends of another kind and outer white space', () => {
		expect(comparable(' a &amp; b &lt;c&gt; &quot;&#39;&#x27;&#x2F;&nbsp;\r\nd\re ')).toBe(
			"a & b <c> \"''/&nbsp;\nd\ne",
		);
		expect(comparable('e\u0301')).toBe('\u00e9');
		expect(comparable('&AMP;&GT;&apos;&#34;&#x22;&#47;&#X2f;&copy;')).toBe('&>\'""//&copy;');
	});

	it.each([
		['Once upon', true],
		['Once upon…', true],
		['Once upon a ...', true],
		['Once […]', true],
		['Once upon a time', false],
		['Twice', false],
		['…', false],
		['', false],
	])('are recognised as cut: %s', (text, expected) => {
		expect(isBeginningOf(text, 'Once upon a time')).toBe(expected);
	});

	it('are compared without the ellipsis of an excerpt', () => {
		expect(['a…', 'a ...', 'a', 'a… b'].map(withoutEllipsis)).toEqual(['a', 'a', 'a', 'a… b']);
	});
});
