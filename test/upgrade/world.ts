/** The fake service with what a frozen node met: every record in full, and no other. */
import {
	startService,
	WORDS,
	type Account,
	type Activity,
	type BoostWindow,
	type FakeService,
	type Lead,
	type LeadMagnet,
	type Post,
} from '../../fake-service/index';

/** Records of an account that are there, or that a poll finds new or changed. */
export interface Holdings {
	posts?: Post[];
	leadMagnets?: LeadMagnet[];
	leads?: Lead[];
	activity?: Activity[];
	boosts?: BoostWindow[];
	/** Paths of uploaded files. */
	media?: string[];
}

interface FrozenAccount extends Holdings {
	id: string;
	fullName: string;
	workspaceId: string;
}

export interface FrozenWorld {
	/** The time of the run. */
	at: string;
	own: FrozenAccount;
	agency: FrozenAccount;
	/** Of the agency. */
	client: FrozenAccount;
}

export const KEYS = {
	own: `${WORDS.service}_live_NOT_A_REAL_KEY_own_frozen`,
	agency: `${WORDS.service}_live_NOT_A_REAL_KEY_agency_frozen`,
} as const;

/** Not that of the world, or a new record would get the ID of one that is there. */
const SEED = 2;

export async function serviceOf({ own, agency, client }: FrozenWorld): Promise<FakeService> {
	const service = await startService({ sample: 'none', seed: SEED });
	const { world } = service;
	const add = ({ id, fullName, workspaceId, ...held }: FrozenAccount, isAgency = false) => {
		const account = world.addAccount(fullName, { id, workspaceId, isAgency });
		hold(account, held);
		return account;
	};
	world.addKey(add(own), KEYS.own, ['*']);
	world.addKey(add(agency, true), KEYS.agency, ['*']);
	world.grant(agency.id, add(client).id, { id: agency.workspaceId });
	return service;
}

interface Records {
	get(id: string): unknown;
	add(record: { id: string }): unknown;
	patch(id: string, change: { id: string }): unknown;
}

/** What is not there yet is added, and what is there gets the values that are given. */
export function hold(account: Account, given: Holdings): void {
	const held = structuredClone(given);
	for (const name of ['posts', 'leadMagnets', 'leads', 'activity'] as const) {
		const list = account[name] as Records;
		for (const record of held[name] ?? [])
			if (list.get(record.id) === undefined) list.add(record);
			else list.patch(record.id, record);
	}
	account.boosts.push(...(held.boosts ?? []));
	const about = { content_type: 'image/png', size: 0, sha256: '', bytes: Buffer.alloc(0) };
	for (const path of held.media ?? []) account.media.set(path, { path, ...about });
}

const heldBy = (account: Account): FrozenAccount => ({
	...{ id: account.id, fullName: account.fullName, workspaceId: account.workspaceId },
	posts: account.posts.toArray(),
	leadMagnets: account.leadMagnets.toArray(),
	leads: account.leads.toArray(),
	activity: account.activity.toArray(),
	boosts: account.boosts,
	media: [...account.media.keys()],
});

export const worldOf = ({ world }: FakeService, at: string): FrozenWorld =>
	structuredClone({
		at,
		own: heldBy(world.own),
		agency: heldBy(world.agency),
		client: heldBy(world.clientA),
	});
