// Looks into a running n8n through Node's inspector: what it holds after a garbage collection.

import { once } from 'node:events';

import { asRecord, type JsonRecord } from '../../scripts/n8n/n8nApi';

export interface Held {
	/** Bytes. */
	heap: number;
	rss: number;
	/** Connections that are open, in both directions. */
	sockets: number;
}

export interface Inspector {
	held(): Promise<Held>;
	detach(): void;
}

const ANSWER_MS = 30_000;
/** Evaluated in n8n's own process. */
const HELD = `JSON.stringify({
	memory: process.memoryUsage(),
	resources: process.getActiveResourcesInfo(),
})`;

/** n8n opens its inspector before anything else, so whoever can reach n8n finds it. */
export async function inspect(port: number): Promise<Inspector> {
	const response = await fetch(`http://127.0.0.1:${port}/json/list`);
	const [target] = (await response.json()) as Array<{ webSocketDebuggerUrl: string }>;
	const socket = new WebSocket(target?.webSocketDebuggerUrl ?? '');
	await once(socket, 'open');
	/** One at a time, and no event was asked for: what comes is the answer. */
	const ask = async (method: string, params: JsonRecord = {}): Promise<JsonRecord> => {
		const answered = once(socket, 'message', { signal: AbortSignal.timeout(ANSWER_MS) });
		socket.send(JSON.stringify({ id: 1, method, params }));
		const [{ data }] = (await answered) as [MessageEvent];
		const { error, result } = asRecord(JSON.parse(String(data)));
		if (error) throw new Error(`${method}: ${JSON.stringify(error)}`);
		return asRecord(result);
	};
	return {
		held: async () => {
			await ask('HeapProfiler.collectGarbage');
			const { result } = await ask('Runtime.evaluate', { expression: HELD });
			const { memory, resources } = JSON.parse(String(asRecord(result).value)) as {
				memory: NodeJS.MemoryUsage;
				resources: string[];
			};
			const sockets = resources.filter((one) => /^(TCP|TLS)SocketWrap$/.test(one)).length;
			return { heap: memory.heapUsed, rss: memory.rss, sockets };
		},
		detach: () => socket.close(),
	};
}
