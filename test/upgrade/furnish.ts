/** The fake service with what a frozen version met: every record in full, and no other. */
import { createHash } from 'node:crypto';

import { startService, WORDS, type Account, type FakeService } from '../../fake-service/index';
import type { Changes, FrozenAccount, FrozenWorld, Holdings } from './frozen';

/** Not that of the world, or a new record would get the ID of one that is there. */
const SEED = 2;
/** What stands for an uploaded file. */
const BYTES = Buffer.from('89504e470d0a1a0a', 'hex');

export const KEYS = {
	own: `${WORDS.service}_live_NOT_A_REAL_KEY_own_frozen`,
	agency: `${WORDS.service}_live_NOT_A_REAL_KEY_agency_frozen`,
} as const;

export async function serviceOf(world: FrozenWorld): Promise<FakeService> {
	const service = await startService({ sample: 'none', seed: SEED });
	const { world: made } = service;
	const add = ({ id, fullName, workspaceId }: FrozenAccount, isAgency = false): Account =>
		made.addAccount(fullName, { id, workspaceId, isAgency });
	made.addKey(add(world.own), KEYS.own, ['*']);
	made.addKey(add(world.agency, true), KEYS.agency, ['*']);
	add(world.client);
	made.grant(world.agency.id, world.client.id, { id: world.grant });
	change(service, world, { own: world.own, client: world.client });
	return service;
}

/** What is not there yet is added, and what is there gets the values that are given. */
export function change({ world: made }: FakeService, world: FrozenWorld, changes: Changes): void {
	for (const whose of ['own', 'client'] as const)
		hold(made.account(world[whose].id), structuredClone(changes[whose] ?? {}));
}

function hold(account: Account, held: Holdings): void {
	for (const name of ['posts', 'leadMagnets', 'leads', 'activity'] as const)
		for (const record of held[name] ?? []) put(account[name] as Records, record);
	account.boosts.push(...(held.boosts ?? []));
	for (const path of held.media ?? []) {
		const about = { content_type: 'image/png', size: BYTES.length };
		const sha256 = createHash('sha256').update(BYTES).digest('hex');
		account.media.set(path, { path, ...about, sha256, bytes: BYTES });
	}
}

interface Records {
	get(id: string): unknown;
	add(record: { id: string }): unknown;
	patch(id: string, change: { id: string }): unknown;
}

function put(list: Records, record: { id: string }): void {
	if (list.get(record.id) === undefined) list.add(record);
	else list.patch(record.id, record);
}
