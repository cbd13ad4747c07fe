/** Which client an agency may work for, and which requests wait for each other. */
import { gateOf, gateOfAccount } from '../../nodes/LeadGenPublishing/api/accountGate';
import { isAccessible } from '../../nodes/LeadGenPublishing/api/grant';

it.each([
	[{ grant: { status: 'active' } }, true],
	[{ grant: { status: ' ACTIVE\n' } }, true],
	[{ grant: { status: 'inactive' } }, false],
	[{ grant: { status: 'active_until_monday' } }, false],
	[{ grant: { status: 'revoked' } }, false],
	// What is not shown counts for nobody.
	[{ grant: { status: ' ' } }, true],
	[{ grant: { status: 1 } }, true],
	[{ grant: {} }, true],
	[{ grant: 'revoked' }, true],
	[{ grant: null }, true],
	[{ status: 'revoked' }, true],
])('a client %j is open: %p', (client, isOpen) => {
	expect(isAccessible(client)).toBe(isOpen);
});

describe('a request waits', () => {
	const client = (clientId: string) => ({ kind: 'client', clientId }) as const;
	const OWN = { kind: 'own' } as const;
	const ID = '0b0e7a4c-56d1-4a3e-8f7e-1f2d3c4b5a69';

	it('for others of its account, whichever way that is written', () => {
		expect(gateOfAccount(client(ID.toUpperCase()))).toBe(gateOfAccount(client(ID)));
		expect(gateOf('post.getAll', client(ID))).toBe(gateOfAccount(client(ID)));
		expect(gateOf('post.create', OWN)).toBe(gateOfAccount(OWN));
	});

	it('for none of another account', () => {
		const gates = [gateOf('post.getAll', OWN), gateOf('client.getAll', OWN)];
		const clients = ['own', 'no account', ID, 'other'].map((id) =>
			gateOf('lead.getAll', client(id)),
		);
		expect(new Set([...gates, ...clients]).size).toBe(6);
	});

	it('for others without an account only if it reads: the list of clients, the key itself', () => {
		expect(gateOf('client.getAll', OWN)).toBe(gateOf('account.getApiInfo', OWN));
		expect(gateOf('client.getAll', OWN)).not.toBe(gateOfAccount(OWN));
		expect(gateOf('networkOrganization.refresh', OWN)).toBe(gateOfAccount(OWN));
	});
});
