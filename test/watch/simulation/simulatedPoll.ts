/**
 * One poll with all the pure code that surrounds the engine in n8n: resuming an unconfirmed batch,
 * the owner of the key, and lists that are not watched any more.
 */
import { forgetDepartedLists } from '../../../nodes/LeadGenPublishing/watch/store/departed';
import type { JsonRecord } from '../../../nodes/LeadGenPublishing/api/schemas';
import { listKey, type ListRules } from '../../../nodes/LeadGenPublishing/watch/list/events';
import {
	readExtras,
	sealExtras,
	type Extras,
} from '../../../nodes/LeadGenPublishing/watch/store/extras';
import type { ListPage } from '../../../nodes/LeadGenPublishing/watch/list/reader';
import { findOwnList } from '../../../nodes/LeadGenPublishing/watch/n8n/ownAccount';
import type { ProcessMemory } from '../../../nodes/LeadGenPublishing/watch/n8n/processMemory';
import {
	markDelivered,
	searchForMissing,
	resumeLastBatch,
} from '../../../nodes/LeadGenPublishing/watch/store/redelivery';
import type { PollSession } from '../../../nodes/LeadGenPublishing/watch/n8n/pollSession';
import { sealWatch } from '../../../nodes/LeadGenPublishing/watch/store/state';
import {
	pollLists,
	type PollInput,
	type PollResult,
	type WatchedList,
} from '../../../nodes/LeadGenPublishing/watch/list/turns/pollLists';

/** What lives as long as a process of n8n. */
export interface SimulatedProcess {
	id: string;
	throttle: ProcessMemory['throttle'];
	credential?: string;
}

/** What the trigger watches, and what the service answers. */
export interface World {
	/** The chosen clients; undefined for the own account. */
	clients?: readonly WatchedList[];
	/** The digest of the credential; and who owns its key, as the service says. */
	key: () => string;
	whoAmI: () => JsonRecord;
	/** The list of the account that the key belongs to. */
	ownPage: (request: { offset: number; limit: number }) => Promise<ListPage>;
	/** The same, requested to determine the owner: nothing is remembered of it. */
	firstLook: World['ownPage'];
	redelivers: boolean;
	/** How often in a row a batch is resumed. */
	maxTimes: number;
	input: Omit<PollInput, 'lists' | 'state' | 'damaged' | 'deadline' | 'now' | 'random'>;
}

export type SimulatedResult = PollResult & {
	/** The name of the list of the account that the key belongs to. */
	account?: string;
	hasResumedBatch: boolean;
};

type SimulatedStart = Pick<PollInput, 'state' | 'damaged' | 'deadline' | 'now' | 'random'> & {
	process: SimulatedProcess;
	activation: boolean;
};

export async function simulatePoll(world: World, start: SimulatedStart): Promise<SimulatedResult> {
	const { process, activation, ...given } = start;
	const { scope, settings } = world.input;
	const { width } = settings.rules;
	const now = given.now();
	const extras = readExtras(given.state);
	const stored = world.redelivers ? extras.mark : undefined;
	const { maxTimes } = world;
	const resumed = resumeLastBatch(given.state, {
		stored,
		process: process.id,
		width,
		now,
		maxTimes,
	});
	const ignorePauses = activation || process.credential !== world.key();
	process.credential = world.key();
	const targets = await whoseList(world, {
		process,
		before: extras.own,
		state: resumed.state,
		now,
	});
	const watched = new Set(targets.lists.map(({ account }) => listKey(scope, account)));
	const remaining = targets.accountsUnknown
		? { state: targets.state, departures: extras.departures, changed: false }
		: forgetDepartedLists(targets.state, extras.departures, { watched, width, now });
	const result = await pollLists({
		...world.input,
		...given,
		...{ state: remaining.state, lists: targets.lists, ignorePauses },
	});
	const delivered = result.delivered.map(({ account, record, previousValue }) => ({
		...{ key: listKey(scope, account), id: record.id, previousValue },
	}));
	const { toRedeliver } = resumed;
	const after: Extras = {
		...(targets.own === undefined ? {} : { own: targets.own }),
		...(world.redelivers
			? { mark: markDelivered(resumed, { delivered, width, now: given.now() }) }
			: {}),
		...{ departures: remaining.departures, statuses: [], news: [] },
	};
	const stateToStore = searchForMissing(result.state, { toRedeliver, delivered, width, now });
	return {
		...result,
		state: sealWatch({ ...stateToStore, extras: sealExtras(after) }),
		worthStoring:
			result.worthStoring ||
			remaining.changed ||
			targets.changed ||
			toRedeliver.size > 0 ||
			(world.redelivers && resumed.changed),
		failuresToReport: delivered.length > 0 ? [] : [...result.failuresToReport, ...targets.failures],
		account: targets.accountsUnknown ? undefined : targets.own?.list,
		hasResumedBatch: toRedeliver.size > 0,
	};
}

async function whoseList(
	world: World,
	given: {
		process: SimulatedProcess;
		before: Extras['own'];
		state: PollInput['state'];
		now: number;
	},
) {
	const { clients, input } = world;
	const { state, process, before, now } = given;
	const plain = { state, own: before, changed: false, failures: [], accountsUnknown: false };
	if (clients !== undefined) return { ...plain, lists: clients };
	const fetchPage = world.ownPage;
	try {
		const own = await findOwnList(sessionOf(world, input.settings.rules), {
			// Of the process, only what is known of its last question is needed.
			...{ remembered: process as unknown as ProcessMemory, before, state, now },
			credential: world.key(),
			// By the real clock: simulated pages take no time.
			deadline: Date.now() + 60_000,
		});
		return { ...plain, ...own, lists: [{ account: own.account, fetchPage }] };
	} catch (error) {
		const failures = [{ account: 'own', kind: 'unsure', message: String(error) }];
		return { ...plain, lists: [], failures, accountsUnknown: true };
	}
}

/** The part of a session that determining the owner needs. */
const sessionOf = ({ whoAmI, firstLook, input }: World, rules: ListRules): PollSession =>
	({
		client: {
			call: async () => ({ data: whoAmI() }),
			page: async (_endpoint: string, request: { offset: number; limit: number }) => {
				const { records, limit, hasMore } = await firstLook(request);
				return { data: records, pagination: { limit, has_more: hasMore } };
			},
		},
		settings: { scope: input.scope, event: 'newLead', filters: {}, list: { rules } },
	}) as unknown as PollSession;
