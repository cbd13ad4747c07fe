/** Who counts as a client that can be worked for, and that every list of clients agrees. */
import { LeadGenPublishingApi } from '../../credentials/LeadGenPublishingApi.credentials';
import { LeadGenPublishing } from '../../nodes/LeadGenPublishing/LeadGenPublishing.node';
import { LeadGenPublishingTrigger } from '../../nodes/LeadGenPublishing/LeadGenPublishingTrigger.node';
import { isAccessible } from '../../nodes/LeadGenPublishing/api/grant';
import { setUpKit } from '../support/kit/index';
import { loadClients } from '../methods/loadClients';
import type { JsonObject } from '../../fake-service/types';
import { listSearch, runPoll } from '../support/engine';

const kit = setUpKit();
const PAUSED = { account_status: 'paused', grant: { status: 'active' } };
const REVOKED = { account_status: 'active', grant: { status: 'revoked' } };

/** The grant gives access, and what says nothing does not take it away: the service answers by 403. */
const CASES: ReadonlyArray<[what: string, client: JsonObject, accessible: boolean]> = [
	['active', { grant: { status: 'active' } }, true],
	['the same word in capitals', { grant: { status: 'Active' } }, true],
	['the same word with blanks', { grant: { status: ' active ' } }, true],
	['revoked', { grant: { status: 'revoked' } }, false],
	['pending', { grant: { status: 'pending' } }, false],
	['a word that contains it', { grant: { status: 'inactive' } }, false],
	['empty status', { grant: { status: '' } }, true],
	['blank status', { grant: { status: ' ' } }, true],
	['null status', { grant: { status: null } }, true],
	['status that is no text', { grant: { status: true } }, true],
	['grant without status', { grant: { id: 'g' } }, true],
	['null grant', { grant: null }, true],
	['no grant, as for other keys', {}, true],
	['grant that is text', { grant: 'revoked' }, true],
	['list as grant', { grant: [{ status: 'revoked' }] }, true],
	['paused account with active grant', PAUSED, true],
	['active account with revoked grant', REVOKED, false],
	['status beside the grant', { status: 'revoked', grant: { status: 'active' } }, true],
	['no permissions, which only inform', { grant: { status: 'active', permissions: [] } }, true],
];

it.each(CASES)('a client with "%s": %j is accessible: %j', (_, client, expected) => {
	expect(isAccessible(client)).toBe(expected);
});

describe('of clients in all these states', () => {
	const idOf = (index: number) => `6f1c2f0e-7d4b-4a53-9d53-${String(index).padStart(12, '0')}`;
	const all = CASES.map(([what, client], index) => ({
		full_name: `Client ${index}: ${what}`,
		...client,
		user_id: idOf(index),
	}));
	const accessible = CASES.flatMap(([, , expected], index) => (expected ? [idOf(index)] : []));
	const others = CASES.flatMap(([, , expected], index) => (expected ? [] : [idOf(index)]));

	beforeEach(() => {
		kit.service.faults.add(
			{ kind: 'change', change: (envelope) => ({ ...envelope, data: all }) },
			{ path: '/clients', count: Infinity },
		);
	});
	const credentials = () => ({
		baseUrl: kit.service.baseUrl,
		apiKey: kit.service.world.keys.agency,
	});
	const marked = (entries: ReadonlyArray<{ name: string; value: unknown }>) =>
		entries.filter(({ name }) => name.includes('no active grant')).map(({ value }) => value);

	it('the list of the action node marks those that are not, and puts them last', async () => {
		const { results } = await listSearch({
			node: LeadGenPublishing,
			credentialType: LeadGenPublishingApi,
			credentials: credentials(),
			parameters: { resource: 'post', operation: 'get', actAs: 'client' },
			method: 'searchClients',
		});
		expect(marked(results).sort()).toEqual(others);
		expect(marked(results.slice(accessible.length))).toHaveLength(others.length);
		expect(results).toHaveLength(all.length);
	});

	it('the list of the trigger marks the same ones', async () => {
		const entries = await loadClients(credentials());
		expect(marked(entries).sort()).toEqual(others);
		expect(marked(entries.slice(accessible.length))).toHaveLength(others.length);
		expect(entries).toHaveLength(all.length);
	});

	it('the trigger watches all others', async () => {
		kit.service.faults.add(
			{ kind: 'raw', status: 200, body: JSON.stringify(EMPTY) },
			{ path: /\/leads$/, count: Infinity },
		);
		await runPoll({
			node: LeadGenPublishingTrigger,
			credentialType: LeadGenPublishingApi,
			credentials: credentials(),
			parameters: { event: 'newLead', watch: 'allClients' },
		});
		const watched = kit.service.requests.flatMap(
			({ path }) => /^\/clients\/(.+)\/leads$/.exec(path)?.[1] ?? [],
		);
		expect([...new Set(watched)].sort()).toEqual(accessible);
	});
});

const EMPTY = { data: [], pagination: { limit: 100, offset: 0, has_more: false }, request_id: 'r' };
