/** Whether a read confirms an update whose answer was lost: only if it shows everything that was sent. */
import { ApiFailure } from '../../nodes/LeadGenPublishing/api/failure';
import type { JsonRecord } from '../../nodes/LeadGenPublishing/api/schemas';
import { isSameText, recordThatShows } from '../../nodes/LeadGenPublishing/operations/shownValues';

const failure = (status: number) =>
	new ApiFailure({
		...{ kind: 'answered', endpoint: 'post.update', agency: false, status },
		...{ retryable: false, attempts: 1, uncertain: true },
	});
const lost = failure(502);

/** What is said of the update that has sent this, when a read shows that. */
const foundBy = async (sent: JsonRecord, read: JsonRecord | Error): Promise<string | undefined> => {
	const shown = recordThatShows(sent, {
		failure: lost,
		read: async () => await (read instanceof Error ? Promise.reject(read) : Promise.resolve(read)),
	});
	return await shown.then(
		(record) => {
			expect(record).toBe(read);
			return undefined;
		},
		(error: ApiFailure) => {
			expect(error.facts).toMatchObject({ status: 502, uncertain: true });
			return error.facts.found;
		},
	);
};

it.each<[string, unknown, unknown]>([
	['the same text', 'a', 'a'],
	['a text with other line ends and white space around it', ' a\r\nb\rc ', 'a\nb\nc\n'],
	['the same time in another zone', '2030-01-31T09:30:00Z', '2030-01-31T10:30+01:00'],
	['nothing where nothing was sent', null, ''],
	['an empty list where nothing was sent', null, []],
	['nothing where an empty list was sent', [], null],
	['the same list', ['a', 1], ['a', 1]],
	['a list with more about its entries', [{ a: 1 }], [{ a: 1, id: 'x' }]],
	['an object with more in it', { a: { b: 'c' } }, { a: { b: ' c', d: 2 }, e: 3 }],
	['the same number', 0, 0],
	['the same answer', false, false],
])('%s confirms it', async (_, sent, stored) => {
	expect(await foundBy({ field: sent }, { id: 'x', field: stored, more: 1 })).toBeUndefined();
});

it.each<[string, unknown, unknown]>([
	['another text', 'a', 'b'],
	['a text in another case', 'a', 'A'],
	['another time', '2030-01-31T09:30:00Z', '2030-01-31T09:30:00+01:00'],
	['a text that is no time', '2030-01-31T09:30:00Z', 'soon'],
	['the same moment in what is no ISO time', '2030-01-31T09:30:00Z', '31 Jan 2030 09:30 UTC'],
	['a text that has a time in it', 'x 2030-01-31T09:30:00Z', 'x 2030-01-31T10:30:00+01:00'],
	['a number where a text was sent', '1', 1],
	['a text where a number was sent', 1, '1'],
	['something where nothing was sent', null, 'a'],
	['a full list where nothing was sent', null, ['a']],
	['nothing where a text was sent', 'a', null],
	['no where nothing was sent', null, false],
	['a list with another entry', ['a', 'b'], ['a', 'c']],
	['a shorter list', ['a', 'b'], ['a']],
	['a longer list', ['a'], ['a', 'b']],
	['a text where a list was sent', ['a'], 'a'],
	['an object without a field of it', { a: 1, b: 2 }, { a: 1 }],
	['an object with another value', { a: 1 }, { a: 2 }],
	['a list where an object was sent', { a: 1 }, [{ a: 1 }]],
	['nothing where an object was sent', { a: 1 }, null],
])('%s does not', async (_, sent, stored) => {
	const found = await foundBy({ ok: 1, field: sent, gone: 'x' }, { ok: 1, field: stored });
	expect(found).toBe(
		'A read afterwards did not show the new field, gone; the update may still be under way.',
	);
});

it('a field that is missing is not shown to be empty', async () => {
	expect(await foundBy({ notes: null }, { id: 'x' })).toContain('did not show the new notes;');
});

it.each<[string, unknown, unknown, boolean]>([
	['published at once is "publishing" at first', 'published', 'publishing', true],
	['still being published is no draft', 'draft', 'publishing', false],
	['scheduled is not published', 'published', 'scheduled', false],
])('a post that is %s', async (_, status, stored, isConfirmed) => {
	expect((await foundBy({ status }, { status: stored })) === undefined).toBe(isConfirmed);
	// Only of its status.
	expect(await foundBy({ text: status }, { text: stored })).toBeDefined();
});

it('says what became of the read', async () => {
	expect(await foundBy({ a: 1 }, failure(404))).toBe('A read afterwards did not find it.');
	expect(await foundBy({ a: 1 }, failure(500))).toBe('It could not be read afterwards.');
});

it('texts are the same but for line ends and white space around them', () => {
	expect(isSameText('a\r\n\r\nb', ' a\n\nb\n')).toBe(true);
	expect(isSameText('a b', 'a  b')).toBe(false);
	expect(isSameText('a\nb', 'a\n\nb')).toBe(false);
});
