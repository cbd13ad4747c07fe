// What the benchmark may ask of the fake service, which runs in a process of its own so that its
// computing does not count in ours.

export interface Levers {
	/** An account of its own with so many leads. */
	list: { ask: { leads: number }; answer: { account: string; apiKey: string } };
	/** Another key of this account. */
	key: { ask: { account: string }; answer: { apiKey: string } };
	/** So many new leads at the head of the list, and gone again. */
	grow: { ask: { account: string; count: number }; answer: null };
	shrink: { ask: { account: string; count: number }; answer: null };
	/** An agency whose clients have so many leads each. */
	clients: {
		ask: { count: number; leads: number };
		answer: { apiKey: string; clients: string[] };
	};
	posts: { ask: { count: number }; answer: { apiKey: string; ids: string[] } };
	/** How long the service thinks before each answer, in ms; of one client only, if named. */
	latency: { ask: { ms: number; client?: string }; answer: null };
	/** What arrived since it was last asked. */
	counted: { ask: Record<string, never>; answer: Counted };
}

export interface Counted {
	requests: number;
	/** The most that were being answered at the same time. */
	atOnce: number;
	/** Answers that were no success. */
	refused: number;
	/** Bytes of all answers, without their headers. */
	bytes: number;
	/** When the last one was answered, in ms after the first one came; without the named clients. */
	lastAfter: Record<string, number>;
}

export type Lever = keyof Levers;
export type Ask = { [K in Lever]: { id: number; lever: K; ask: Levers[K]['ask'] } }[Lever];
export interface Reply {
	id: number;
	answer?: unknown;
	error?: string;
}
export interface Ready {
	baseUrl: string;
	storageUrl: string;
}
