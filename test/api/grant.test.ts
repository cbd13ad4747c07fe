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
const CASES: ReadonlyArray<[what: string, client: JsonObject, accessible: boolean, why: string]> = [
	['active', { grant: { status: 'active' } }, true, 'the state that allows access'],
	['Active', { grant: { status: 'Active' } }, true, 'the same word; the service decides by 403'],
	[' active ', { grant: { status: ' active ' } }, true, 'the same word'],
	['revoked', { grant: { status: 'revoked' } }, false, 'another state than the one that allows'],
	['pending', { grant: { status: 'pending' } }, false, 'another state than the one that allows'],
	['inactive', { grant: { status: 'inactive' } }, false, 'contains the word, but is another one'],
	['empty status', { grant: { status: '' } }, true, 'says nothing'],
	['blank status', { grant: { status: ' ' } }, true, 'says nothing'],
	['null status', { grant: { status: null } }, true, 'says nothing'],
	['grant without status', { grant: { id: 'g' } }, true, 'says nothing'],
	['status that is no text', { grant: { status: true } }, true, 'the document knows text only'],
	['null grant', { grant: null }, true, 'the grant is visible for agency keys only'],
	['missing grant', {}, true, 'the grant is visible for agency keys only'],
	['grant that is text', { grant: 'revoked' }, true, 'the document knows an object only'],
	['list as grant', { grant: [{ status: 'revoked' }] }, true, 'the document knows an object only'],
	[
		'paused account with active grant',
		{ account_status: 'paused', grant: { status: 'active' } },
		true,
		'it is the grant that gives access',
	],
	[
		'active account with revoked grant',
		{ account_status: 'active', grant: { status: 'revoked' } },
		false,
		'it is the grant that gives access',
	],
	[
		'status beside the grant',
		{ status: 'revoked', grant: { status: 'active' } },
		true,
		'the status is that of the grant',
	],
	[
		'no permissions',
		{ grant: { status: 'active', permissions: [] } },
		true,
		'permissions are shown for information only',
	],
];

it.each(CASES)('a client with "%s": %j is accessible: %j, since %s', (_, client, expected) => {
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
