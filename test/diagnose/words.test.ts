/** Each kind of finding has words of its own, and an item that needs somebody says what to do. */
import { itemOf } from '../../nodes/LeadGenPublishing/diagnose/judge/item';
import { wordsOf } from '../../nodes/LeadGenPublishing/diagnose/judge/words';
import { expectFittingCheck } from '../support/kit/fittingWords';
import { EVERY_FINDING } from './everyFinding';

it.each(EVERY_FINDING.map((finding) => [finding.kind, finding] as const))('%s', (_, finding) => {
	const item = itemOf('Check', finding);
	expectFittingCheck({ ...item });
	if (item.result === 'needs_you') expect(item.do_next).toMatch(/^[A-Z].*[.]$/);
	expect(item.seen).not.toContain('Ada');
});

it('no two kinds say the same', () => {
	const said = EVERY_FINDING.map((finding) => wordsOf(finding).means);
	expect(said.filter((text, at) => said.indexOf(text) !== at)).toEqual([]);
});

it('a sentence names up to five clients, and the item all of them', () => {
	const clients = Array.from({ length: 8 }, (_, at) => ({
		id: `id-${at}`,
		name: at === 0 ? undefined : `Client ${at}`,
		hasAccess: true,
	}));
	const item = itemOf('Clients', { kind: 'clientRefused', clients });
	expect(item.means).toBe(
		'The service denies access to these clients: id-0, Client 1, Client 2, Client 3, Client 4 and 3 more.',
	);
	expect(item.clients).toHaveLength(8);
	expect(item.clients[1]).toEqual({ client_id: 'id-1', client_name: 'Client 1' });
});
