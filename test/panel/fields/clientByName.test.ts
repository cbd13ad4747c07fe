/** Which client a name means. In doubt, none. */
import { clientNamed } from '../../../nodes/LeadGenPublishing/panel/fields/clientByName';
import { InputError } from '../../../nodes/LeadGenPublishing/words/inputError';

const ID = (digit: number) => `6f1c2f0e-7d4b-4a53-9d53-${String(digit).repeat(12)}`;
const ADA = { user_id: ID(1), full_name: 'Ada Marlowe', business_name: 'Marlowe Ltd' };
const BOB = { user_id: ID(2), full_name: ' Bob Ilić ', business_name: null };
const named = (name: unknown, records: object[] = [ADA, BOB], isComplete = true) => {
	const found = clientNamed(name, { records: records as never, isComplete });
	if (typeof found === 'string') return found;
	expect(found).toBeInstanceOf(InputError);
	expect(found.message).toMatch(/^The parameter "Client" .*\. Nothing was sent$/);
	return [found.message, found.remedy];
};
const problem = (...given: Parameters<typeof named>) => named(...given)[0];

it.each([
	['Ada Marlowe', ID(1)],
	['  ada MARLOWE\n', ID(1)],
	['marlowe ltd', ID(1)],
	['BOB ILIĆ', ID(2)],
])('%j is the client with this full or business name', (name, id) => {
	expect(named(name)).toBe(id);
});

it.each([undefined, null, '', ' ', '\u200b', {}, Number.NaN])(
	'%j is an error, and matches no client without a name',
	(name) => {
		const nameless = { user_id: ID(3), full_name: '', business_name: ' ' };
		expect(problem(name, [nameless])).toContain('is empty');
	},
);

it('a name that no client has is an error, which names no client', () => {
	const [message, remedy] = named('Adam Marlowe');
	expect(message).toContain('is not the name of a client with an active grant');
	expect(remedy).toContain('Client > Get Many');
	expect(message + (remedy ?? '')).not.toMatch(/Ada |Bob|Marlowe/);
});

it('a name that several clients have is an error with their IDs', () => {
	const [message] = named('Marlowe Ltd', [ADA, { ...ADA, user_id: ID(4) }, BOB]);
	expect(message).toContain(`is the name of 2 clients: ${ID(1)}, ${ID(4)}`);
});

it('rows with one ID are one client', () => {
	const again = { ...ADA, user_id: ADA.user_id.toUpperCase(), grant: { status: 'active' } };
	expect(named('Ada Marlowe', [ADA, again])).toBe(ID(1));
});

it('only clients count whose grant is active or not shown', () => {
	const revoked = { ...ADA, user_id: ID(5), grant: { status: 'revoked' } };
	expect(named('Ada Marlowe', [revoked, ADA])).toBe(ID(1));
	expect(problem('Ada Marlowe', [revoked])).toContain('is not the name');
});

it('an incomplete list is an error, even if it has the name', () => {
	expect(problem('Ada Marlowe', [ADA], false)).toContain('the list of clients is incomplete');
});
