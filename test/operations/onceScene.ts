/** `createOnce` against a script instead of a service, on a clock that only its pauses move. */
import {
	ApiFailure,
	InputError,
	type FailureFacts,
} from '../../nodes/LeadGenPublishing/api/failure';
import type { JsonRecord } from '../../nodes/LeadGenPublishing/api/schemas';
import { createOnce } from '../../nodes/LeadGenPublishing/operations/createOnce/createOnce';
import { ListOfRun } from '../../nodes/LeadGenPublishing/operations/createOnce/listOfRun';
import type {
	EarlierAttempt,
	ItemCall,
	Tally,
} from '../../nodes/LeadGenPublishing/operations/define';

export const failure = (facts: Partial<FailureFacts> = {}): ApiFailure =>
	new ApiFailure({
		...{ kind: 'answered', endpoint: 'post.create', agency: false, retryable: false },
		...{ attempts: 1, uncertain: false },
		...facts,
	});
export const lost = (): ApiFailure => failure({ kind: 'unreachable', uncertain: true });

/** Recognises a record by its field `key`. */
class Things {
	readonly things: JsonRecord[] = [];
	constructor(private readonly own: unknown[]) {}
	add(thing: JsonRecord, isOwn: boolean): void {
		this.things.push(thing);
		if (isOwn) this.own.push(thing.id);
	}
}

export interface Creation {
	/** That of the scene unless given. */
	key?: string;
	/** What comes of the request. */
	answer?: JsonRecord | Error;
	maxWaitMs?: number;
	ifExists?: 'return' | 'fail';
	isDryRun?: boolean;
	earlier?: Partial<EarlierAttempt>;
	check?: () => void;
}

let scenes = 0;

/** A service whose list shows what the test says, and whose log is what was asked of it. */
export function scene() {
	scenes += 1;
	let now = 1_000_000;
	const log: string[] = [];
	const said: string[] = [];
	const identities: string[] = [];
	const listed: Array<{ from: number; thing: JsonRecord }> = [];
	/** What reads one by one find. */
	const readable = new Map<string, JsonRecord>();
	let brokenAfter = Infinity;
	/** The IDs of what was added as created here. */
	const own: unknown[] = [];

	const list = async () => {
		log.push('list');
		brokenAfter -= 1;
		if (brokenAfter < 0) throw failure({ endpoint: 'post.getAll', status: 500 });
		const records = listed.filter(({ from }) => from <= now).map(({ thing }) => thing);
		return await Promise.resolve({ records, isComplete: true });
	};
	const wait = async (ms: number) => {
		log.push(`wait ${ms}`);
		now += ms;
		await Promise.resolve();
	};
	const read = async (id: string) => {
		log.push(`read ${id}`);
		return await Promise.resolve(readable.get(id));
	};

	/** A run of the node: its items share a list. */
	const run = () => {
		const things = new ListOfRun('post.getAll', () => new Things(own));
		const sharedByItems = new Map<string, unknown>();
		return async ({
			key = `key ${scenes}`,
			answer = { id: 'new', key },
			maxWaitMs = 0,
			ifExists = 'return',
			isDryRun = false,
			earlier,
			check = () => undefined,
		}: Creation = {}) => {
			const call = {
				api: {
					...{ accountId: 'own', maxWaitMs, now: () => now, list, wait },
					uncounted: async <T>(work: () => Promise<T>) => await work(),
				},
				...{ isDryRun, earlier },
				recognisedBy: (identity: string) => identities.push(identity),
				notice: (message: string) => said.push(message),
				count: ({ counts, say }: Tally) => said.push(...say(counts)),
				shared: <T>(name: string, make: () => T): T => {
					if (!sharedByItems.has(name)) sharedByItems.set(name, make());
					return sharedByItems.get(name) as T;
				},
			} as unknown as ItemCall;
			return await createOnce(call, {
				what: 'thing',
				identity: ['thing', key],
				ifExists,
				list: things,
				find: async ({ things: known }) => {
					const [record, ...others] = known.filter((thing) => thing.key === key);
					return await Promise.resolve(
						record && { record, others: others.length, differs: record.differs === true },
					);
				},
				read,
				check,
				send: async () => {
					log.push('send');
					if (answer instanceof Error) throw answer;
					return await Promise.resolve(answer);
				},
				alreadyExists: () => new InputError('There is one', 'Take it.'),
			});
		};
	};

	return {
		key: `key ${scenes}`,
		...{ said, identities, readable, own, run },
		now: () => now,
		passes: (ms: number) => void (now += ms),
		/** The list shows it from now on, or later. */
		shows: (thing: JsonRecord, afterMs = 0) => void listed.push({ from: now + afterMs, thing }),
		/** After so many readings of the list, none succeeds. */
		breaksAfter: (readings: number) => void (brokenAfter = readings),
		mends: () => void (brokenAfter = Infinity),
		/** What was asked since this was looked at last. */
		asked: () => log.splice(0),
	};
}

export const pausesOf = (asked: readonly string[]): number =>
	asked.reduce((sum, one) => sum + (one.startsWith('wait ') ? Number(one.slice(5)) : 0), 0);
