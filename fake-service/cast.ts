// Who is in the world at the start. Every key is obviously not a real one.

import { KEYWORDS, POST_TEXTS } from './sample';
import { SCOPES, type Scope } from './types';
import type { Account, World } from './world';

export type Cast = ReturnType<typeof castInto>;

export function castInto(world: World, sample: 'small' | 'none') {
	const own = world.addAccount('Nora Lindqvist');
	const stranger = world.addAccount('Otto Fremd');
	const agency = world.addAccount('Brightwater Growth Agency', { isAgency: true });
	const clientA = world.addClient(agency, 'Ada Marlowe');
	// Without Fast Response.
	const clientB = world.addClient(agency, 'Ben Castellano', { fastResponse: false });
	const clientC = world.addClient(agency, 'Cleo Haddad');
	const clientPaused = world.addClient(agency, 'Pia Pausen');
	world.setGrantStatus(agency, clientPaused, 'paused');
	const clientUngranted = world.addAccount('Uma Ungranted');
	const accounts = { own, stranger, agency, clientA, clientB, clientC };
	const cast = { ...accounts, clientPaused, clientUngranted, keys: keysInto(world, accounts) };
	if (sample === 'small') {
		const holders = [own, stranger, agency, clientA, clientB, clientC, clientPaused];
		for (const account of [...holders, clientUngranted]) fill(world, account);
	}
	return cast;
}

function keysInto(world: World, who: Record<'own' | 'stranger' | 'agency', Account>) {
	const live = `${world.words.service}_live_NOT_A_REAL_KEY`;
	const single = (account: Account, prefix: string) =>
		Object.fromEntries(
			SCOPES.map((scope) => [
				scope,
				world.addKey(account, `${prefix}_only_${scope.replace(':', '_')}_0000`, [scope]),
			]),
		) as Record<Scope, string>;
	const revoked = world.addKey(who.own, `${live}_revoked_0000`, ['*']);
	world.setKeyStatus(revoked, 'revoked');
	const inactive = world.addKey(who.own, `${live}_inactive_0000`, ['*']);
	world.setKeyStatus(inactive, 'inactive');
	return {
		own: world.addKey(who.own, `${live}_own_0000`, ['*']),
		ownTest: world.addKey(who.own, `${world.words.service}_test_NOT_A_REAL_KEY_own_0000`, ['*']),
		stranger: world.addKey(who.stranger, `${live}_stranger_0000`, ['*']),
		agency: world.addKey(who.agency, `${live}_agency_0000`, ['*']),
		revoked,
		inactive,
		unknown: `${live}_unknown_0000`,
		/** Those of `own` and of `agency` that have one scope each. */
		single: single(who.own, `${live}_own`),
		agencySingle: single(who.agency, `${live}_agency`),
	};
}

/** A handful of everything: each post status, two lead magnets, leads and activity. */
function fill(world: World, account: Account): void {
	const [first, second, third, fourth] = POST_TEXTS;
	world.addPost(account, { text: first });
	world.addPost(account, { text: second, status: 'scheduled' });
	world.addPost(account, { text: third, status: 'publishing' });
	world.addPost(account, { text: fourth, status: 'published' });
	world.addLeadMagnet(account, { keyword: KEYWORDS[0] });
	world.addLeadMagnet(account, {
		keyword: KEYWORDS[1],
		delivery_mode: 'hosted_content',
		resource_link: null,
		hosted_page: { title: 'The playbook', content: '# Five days\n\nDay one …', published: true },
	});
	world.seedLeads(account, 12);
	world.seedActivity(account, 8);
}
