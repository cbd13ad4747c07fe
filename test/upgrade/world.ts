/** The fake service with what a frozen node met: every record in full, and no other. */
import {
	startService,
	WORDS,
	type Account,
	type BoostWindow,
	type FakeService,
} from '../../fake-service/index';

const LISTS = ['posts', 'leadMagnets', 'leads', 'activity'] as const;
type Records = Array<{ id: string }>;

/** Records of an account that are there, or that a poll finds new or changed. */
export interface Holdings extends Partial<Record<(typeof LISTS)[number], Records>> {
	/** The name of another client, who gives the agency a grant. */
	joins?: string;
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
	const managing = add(agency, true);
	world.addKey(managing, KEYS.agency, ['*']);
	world.grant(managing, add(client), { id: agency.workspaceId });
	return service;
}

/** What is not there yet is added, and what is there gets the values that are given. */
export function hold(account: Account, given: Holdings): void {
	const held = structuredClone(given);
	for (const name of LISTS) {
		// Each list holds records of its own kind; the union of all of them does not say so.
		const list = account[name] as {
			get(id: string): unknown;
			add(record: Records[number]): unknown;
			patch(id: string, change: Records[number]): unknown;
		};
		for (const record of held[name] ?? [])
			if (list.get(record.id) === undefined) list.add(record);
			else list.patch(record.id, record);
	}
	account.boosts.push(...(held.boosts ?? []));
	const about = { content_type: 'image/png', size: 0, sha256: '', bytes: Buffer.alloc(0) };
	for (const path of held.media ?? []) account.media.set(path, { path, ...about });
}

const heldBy = ({
	id,
	fullName,
	workspaceId,
	boosts,
	media,
	...lists
}: Account): FrozenAccount => ({
	...{ id, fullName, workspaceId, boosts, media: [...media.keys()] },
	...Object.fromEntries(LISTS.map((name) => [name, lists[name].toArray()])),
});

export const worldOf = ({ world: { own, agency, clientA } }: FakeService, at: string) =>
	structuredClone({
		...{ at, own: heldBy(own), agency: heldBy(agency), client: heldBy(clientA) },
	} satisfies FrozenWorld);

/** What a world holds more than the base: `boosts-posts`. */
export function worldName(world: FrozenWorld, base = world): string {
	const kinds = ['boosts', 'media', ...LISTS] as const;
	const count = ({ own, client }: FrozenWorld, kind: (typeof kinds)[number]): number =>
		(own[kind]?.length ?? 0) + (client[kind]?.length ?? 0);
	return kinds.filter((kind) => count(world, kind) > count(base, kind)).join('-') || 'base';
}
