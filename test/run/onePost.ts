/**
 * A service with one published post, which knows the truth: how often our change was carried out,
 * and whether it still may be. Its answers to writes are given in advance, whatever happened.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'http';
import type { AddressInfo } from 'net';

type Refuse = (status: number, code?: string, reason?: string) => void;
type Reply = (status: number, data: object) => void;

/** What becomes of the change that a write asks for. */
export type Fate =
	| 'refused'
	| 'done'
	/** It is under way, and done when the post has been read so often again. */
	| { readonly doneAfterReads: number; readonly shown: boolean };

export interface WriteAnswer {
	/** 0: the connection is cut. */
	readonly status: number;
	readonly code?: string;
	readonly reason?: string;
	readonly fate: Fate;
	/** A person changes the text first, so that the version before is stale. */
	readonly edited?: boolean;
}

export interface ReadAnswer {
	readonly status: number;
	readonly code?: string;
	/** Replaces the capabilities. */
	readonly capabilities?: unknown;
	/** Somebody else has deleted the post. */
	readonly gone?: boolean;
}

export interface SentWrite {
	readonly method: string;
	readonly key?: string;
	readonly etag?: string;
	readonly body: string;
	readonly requestId?: string;
}

export const ID = '5d0f8a52-3c1b-4a61-9d2e-7f1f7b0c9a10';
export const OURS = 'ours';
export const THEIRS = 'theirs';

export class OnePost {
	text = 'old';
	version = 1;
	gone = false;
	timesDone = 0;
	pending: { reads: number; shown: boolean; apply: () => void } | undefined;
	sent: SentWrite[] = [];
	/** For the writes to come; without one the service does as it is told. */
	writes: WriteAnswer[] = [];
	/** For all reads of the second try. */
	secondReading: ReadAnswer | undefined;
	private tries = 0;
	baseUrl = '';
	private readonly doneKeys = new Set<string>();
	private readonly server = createServer(
		(request, response) => void this.handle(request, response),
	);

	async open(): Promise<void> {
		await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
		this.baseUrl = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/api/v1`;
	}

	async close(): Promise<void> {
		this.server.closeAllConnections();
		await new Promise<void>((resolve) => this.server.close(() => resolve()));
	}

	begin(writes: readonly WriteAnswer[], secondReading?: ReadAnswer): void {
		this.text = 'old';
		this.version = 1;
		this.gone = false;
		this.timesDone = 0;
		this.pending = undefined;
		this.sent = [];
		this.writes = [...writes];
		this.secondReading = secondReading;
		this.tries = 0;
		this.doneKeys.clear();
	}

	beginTry(): void {
		this.tries += 1;
		if (this.reading?.gone === true) this.gone = true;
	}

	private get reading(): ReadAnswer | undefined {
		return this.tries === 2 ? this.secondReading : undefined;
	}

	/** What is under way comes to its end. */
	settle(): void {
		const { pending } = this;
		this.pending = undefined;
		pending?.apply();
	}

	private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const chunks: Buffer[] = [];
		for await (const chunk of request) chunks.push(chunk as Buffer);
		const body = Buffer.concat(chunks).toString();
		const { method = '', url = '' } = request;
		const answer: Reply = (status, data) => {
			response.writeHead(status, { 'Content-Type': 'application/json' });
			const id = String(request.headers['x-request-id'] ?? 'made-here');
			response.end(JSON.stringify({ ...data, request_id: id }));
		};
		const refuse: Refuse = (status, code = '', reason) =>
			answer(status, {
				error: {
					code,
					message: 'Words of the service',
					...(reason ? { details: { reason } } : {}),
				},
			});
		if (!url.endsWith(`/posts/${ID}`)) return refuse(404, 'not_found');
		if (method === 'GET') return this.read(answer, refuse);
		const header = (name: string) => request.headers[name] as string | undefined;
		const write: SentWrite = {
			method,
			body,
			key: header('idempotency-key'),
			etag: header('x-svc-post-etag'),
			requestId: header('x-request-id'),
		};
		this.sent.push(write);
		const given = this.writes.shift();
		if (given === undefined) return this.obey(write, { answer, refuse });
		if (given.edited === true) {
			this.text = THEIRS;
			this.version += 1;
		}
		if (given.fate === 'done') this.carryOut(write);
		else if (given.fate !== 'refused') {
			const { doneAfterReads: reads, shown } = given.fate;
			this.pending = { reads, shown, apply: () => this.carryOut(write) };
		}
		if (given.status === 0) return void request.socket.destroy();
		if (given.status < 300) return answer(200, { data: this.record() });
		refuse(given.status, given.code, given.reason);
	}

	private read(answer: Reply, refuse: Refuse): void {
		if (this.pending !== undefined && --this.pending.reads < 0) this.settle();
		if (this.gone) return refuse(404, 'not_found');
		if (this.reading !== undefined && this.reading.status !== 200)
			return refuse(this.reading.status, this.reading.code);
		answer(200, { data: this.record() });
	}

	/** A write without an answer given in advance. */
	private obey(write: SentWrite, { answer, refuse }: { answer: Reply; refuse: Refuse }): void {
		const repeated = write.key !== undefined && this.doneKeys.has(write.key);
		if (!repeated) {
			if (this.gone) return refuse(404, 'not_found');
			if (this.pending !== undefined) return refuse(409, 'conflict', 'mutation_in_progress');
			if (write.method === 'PATCH' && write.etag !== this.etag())
				return refuse(409, 'conflict', 'stale_provider_version');
			this.carryOut(write);
		}
		answer(200, { data: write.method === 'DELETE' ? { id: ID, deleted: true } : this.record() });
	}

	/** Once for each key. */
	private carryOut({ method, key = '' }: SentWrite): void {
		if (this.doneKeys.has(key)) return;
		this.doneKeys.add(key);
		this.timesDone += 1;
		this.version += 1;
		if (method === 'DELETE') this.gone = true;
		else this.text = OURS;
	}

	private etag = (): string => `"v${this.version}"`;

	private record(): object {
		const busy = this.pending?.shown === true;
		const capabilities = busy
			? { can_edit: false, can_delete: false, edit_etag: null, reason: 'mutation_in_progress' }
			: { can_edit: true, can_delete: true, edit_etag: this.etag(), reason: null };
		const { reading } = this;
		const isReplaced = reading !== undefined && 'capabilities' in reading;
		return {
			id: ID,
			status: 'published',
			text: this.text,
			published_mutation_capabilities: isReplaced ? reading.capabilities : capabilities,
		};
	}
}
