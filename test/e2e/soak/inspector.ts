// Looks into a running n8n through Node's inspector: what it holds after a garbage collection.

import { setTimeout as pause } from 'node:timers/promises';

import { asRecord, type JsonRecord } from '../../../scripts/n8n/n8nApi';

export interface Held {
	/** Bytes. */
	heap: number;
	rss: number;
	/** Connections that are open, in both directions. */
	sockets: number;
}

const ANSWER_MS = 30_000;
/** Evaluated in n8n's own process. */
const HELD = `JSON.stringify({
	memory: process.memoryUsage(),
	resources: process.getActiveResourcesInfo(),
})`;

export class Inspector {
	private sent = 0;
	private readonly waiting = new Map<number, (answer: JsonRecord) => void>();

	private constructor(private readonly socket: WebSocket) {
		socket.addEventListener('message', ({ data }) => {
			const answer = asRecord(JSON.parse(String(data)));
			this.waiting.get(Number(answer.id))?.(answer);
		});
	}

	/** n8n opens its inspector before anything else, so whoever can reach n8n finds it. */
	static async attach(port: number): Promise<Inspector> {
		const response = await fetch(`http://127.0.0.1:${port}/json/list`);
		const [target] = (await response.json()) as Array<{ webSocketDebuggerUrl: string }>;
		const socket = new WebSocket(target?.webSocketDebuggerUrl ?? '');
		await new Promise((resolve, reject) => {
			socket.addEventListener('open', resolve, { once: true });
			socket.addEventListener('error', reject, { once: true });
		});
		return new Inspector(socket);
	}

	async held(): Promise<Held> {
		await this.ask('HeapProfiler.collectGarbage');
		const { result } = await this.ask('Runtime.evaluate', { expression: HELD });
		const text = String(asRecord(asRecord(result).result).value);
		const { memory, resources } = JSON.parse(text) as {
			memory: NodeJS.MemoryUsage;
			resources: string[];
		};
		const sockets = resources.filter((one) => /^(TCP|TLS)SocketWrap$/.test(one)).length;
		return { heap: memory.heapUsed, rss: memory.rss, sockets };
	}

	detach(): void {
		this.socket.close();
	}

	private async ask(method: string, params: JsonRecord = {}): Promise<JsonRecord> {
		const id = ++this.sent;
		const answered = new Promise<JsonRecord>((resolve) => this.waiting.set(id, resolve));
		this.socket.send(JSON.stringify({ id, method, params }));
		const answer = await Promise.race([answered, pause(ANSWER_MS, undefined, { ref: false })]);
		this.waiting.delete(id);
		if (!answer || answer.error) throw new Error(`${method}: ${JSON.stringify(answer?.error)}`);
		return answer;
	}
}
