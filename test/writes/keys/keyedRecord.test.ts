/** Which fields of a record count as shown, and as different. */
import { comparedWith, isKnown } from '../../../nodes/LeadGenPublishing/writes/keys/keyedRecord';

it.each<[string, unknown, boolean]>([
	['text', '', false],
	['text', null, false],
	['status', '', false],
	['scheduled_at', null, false],
	['scheduled_at', '2030-01-01T00:00:00Z', true],
	['notes', '', true],
	['notes', null, true],
	['notes', undefined, false],
])('%s that is shown as %j is known: %s', (name, stored, expected) => {
	expect(isKnown(name, stored)).toBe(expected);
});

it('differs in what is shown and is another value, unless the service makes it of the one sent', () => {
	const sent = { text: 'New', notes: 'Mine', theme_id: 'a' };
	const stored = { text: 'Old', notes: 'Mine', theme_id: 'b' };
	expect(comparedWith(sent).differencesIn(stored)).toEqual(['text', 'theme_id']);
	expect(comparedWith(sent).differencesIn({ notes: 'Other' })).toEqual(['notes']);
	const { differencesIn } = comparedWith(sent, (name, value) => name === 'text' && value === 'Old');
	expect(differencesIn(stored)).toEqual(['theme_id']);
});

it('a summary is enough if it shows all that is sent, and nothing differs', () => {
	const { isEnough } = comparedWith({ text: 'New', notes: null });
	expect(isEnough({ text: 'New' })).toBe(true);
	expect(isEnough({ text: 'New', notes: 'Old' })).toBe(false);
	expect(isEnough({ notes: null })).toBe(false);
	expect(isEnough({ text: 'Old' })).toBe(false);
});
