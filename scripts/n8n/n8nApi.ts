// n8n's own API, the one its editor uses, as far as we need it.

import { setTimeout as pause } from 'node:timers/promises';

export type JsonRecord = Record<string, unknown>;

export const OWNER = {
	email: 'demo@leadgen.example',
	password: 'Demo-leads-1',
	firstName: 'Demo',
	lastName: 'Owner',
};

export interface WorkflowNode {
	name: string;
	type: string;
	parameters: JsonRecord;
	credentials?: Record<string, { id: string; name: string }>;
	[other: string]: unknown;
}

export interface Workflow {
	name: string;
	nodes: WorkflowNode[];
	[other: string]: unknown;
}

export interface StoredWorkflow extends Workflow {
	id: string;
	versionId: string;
	active: boolean;
}

export interface Execution {
	id: string;
	status: string;
	mode: string;
	startedAt: string;
	workflowId: string;
}

export const isUnderWay = ({ status }: Pick<Execution, 'status'>): boolean =>
	['new', 'running', 'waiting'].includes(status);

export interface ExecutionResult {
	status: string;
	/** Why it failed. */
	problem: string;
	/** What a node put out, over all its runs. */
	output(node: string): JsonRecord[];
}

export interface CredentialData {
	baseUrl: string;
	apiKey: string;
}

export const CREDENTIAL_TYPE = 'leadGenPublishingApi';
const ROWS_PER_PAGE = 250;
const MAX_READS = 10;
const READ_AGAIN_MS = 2_000;

export class N8nApi {
	private cookie = '';
	private project = '';

	constructor(readonly url: string) {}

	/** The first person of a new n8n: its owner. */
	async setUpOwner(): Promise<void> {
		await this.enter('/owner/setup', { ...OWNER });
	}

	async logIn(): Promise<void> {
		await this.enter('/login', { emailOrLdapLoginId: OWNER.email, password: OWNER.password });
	}

	async version(): Promise<string> {
		return text(await this.call('GET', '/settings'), 'versionCli');
	}

	async createCredential(name: string, data: CredentialData): Promise<string> {
		const created = await this.call('POST', '/credentials', {
			name,
			type: CREDENTIAL_TYPE,
			data,
		});
		return text(created, 'id');
	}

	/** Of one that a person has made. */
	async credentialId(name: string): Promise<string> {
		const answer = await this.send('GET', '/credentials');
		const all = asRecord(await answer.json()).data;
		const found = (Array.isArray(all) ? all : []).map(asRecord).find((one) => one.name === name);
		if (!found) throw new Error(`there is no credential "${name}"`);
		return text(found, 'id');
	}

	async changeCredential(
		id: string,
		{ name, data }: { name: string; data: CredentialData },
	): Promise<void> {
		await this.call('PATCH', `/credentials/${id}`, { id, name, type: CREDENTIAL_TYPE, data });
	}

	/** What the "Test" of the credential says for this data. */
	async testCredential(
		id: string,
		data: CredentialData,
	): Promise<{ status: string; message: string }> {
		const credentials = { id, name: 'Test', type: CREDENTIAL_TYPE, data };
		const result = await this.call('POST', '/credentials/test', { credentials });
		return { status: text(result, 'status'), message: text(result, 'message') };
	}

	async tableId(name: string): Promise<string> {
		const query = new URLSearchParams({ filter: JSON.stringify({ name }) });
		const path = `/projects/${this.project}/data-tables?${query.toString()}`;
		const found = listIn(await this.call('GET', path), 'data').find((table) => table.name === name);
		if (!found) throw new Error(`there is no data table "${name}"`);
		return text(found, 'id');
	}

	/** Where a person sees it. */
	tablePage(id: string): string {
		return `${this.url}/projects/${this.project}/datatables/${id}`;
	}

	async rows(table: string): Promise<JsonRecord[]> {
		const all: JsonRecord[] = [];
		for (;;) {
			const query = `take=${ROWS_PER_PAGE}&skip=${all.length}&sortBy=id:asc`;
			const path = `/projects/${this.project}/data-tables/${table}/rows?${query}`;
			const page = listIn(await this.call('GET', path), 'data');
			all.push(...page);
			if (page.length < ROWS_PER_PAGE) return all;
		}
	}

	async addRows(table: string, data: readonly JsonRecord[]): Promise<void> {
		await this.call('POST', `/projects/${this.project}/data-tables/${table}/insert`, { data });
	}

	/** As a person does it in the table, cell by cell. */
	async editRows(
		table: string,
		{ column, value, data }: { column: string; value: string; data: JsonRecord },
	): Promise<void> {
		const filters = [{ columnName: column, condition: 'eq', value }];
		await this.call('PATCH', `/projects/${this.project}/data-tables/${table}/rows`, {
			filter: { type: 'and', filters },
			data,
		});
	}

	async countRows(table: string): Promise<number> {
		const path = `/projects/${this.project}/data-tables/${table}/rows?take=1`;
		return Number((await this.call('GET', path)).count);
	}

	async createWorkflow(workflow: Workflow): Promise<StoredWorkflow> {
		return (await this.call('POST', '/workflows', workflow)) as StoredWorkflow;
	}

	async workflow(id: string): Promise<StoredWorkflow> {
		return (await this.call('GET', `/workflows/${id}`)) as StoredWorkflow;
	}

	async activate({ id, versionId }: StoredWorkflow): Promise<void> {
		await this.call('POST', `/workflows/${id}/activate`, { versionId });
	}

	async deactivate({ id }: StoredWorkflow): Promise<void> {
		await this.call('POST', `/workflows/${id}/deactivate`, {});
	}

	/** Whether its triggers are really running: activating is done in the background. */
	async isPublished({ id, name }: StoredWorkflow): Promise<boolean> {
		const response = await this.send('GET', `/workflows/${id}/publication-status`);
		// Without the publication service, activating has waited for the triggers.
		if (response.status === 404) return true;
		const { status, triggers } = asRecord(asRecord(await response.json()).data);
		if (status === 'failed' || status === 'partial') {
			throw new Error(`"${name}" could not be activated: ${JSON.stringify(triggers)}`);
		}
		return status === 'published';
	}

	/** As the button in the editor does it. Gives the id of the execution. */
	async run(workflow: StoredWorkflow, startNode: string): Promise<string> {
		const body = { workflowData: workflow, triggerToStartFrom: { name: startNode } };
		return text(await this.call('POST', `/workflows/${workflow.id}/run`, body), 'executionId');
	}

	/** All of them, newest first. */
	async executions(filter: { workflowId?: string; status?: string[] }): Promise<Execution[]> {
		const all: Execution[] = [];
		for (;;) {
			const query = new URLSearchParams({ filter: JSON.stringify(filter), limit: '100' });
			const last = all.at(-1);
			if (last) query.set('lastId', last.id);
			const page = listIn(await this.call('GET', `/executions?${query.toString()}`), 'results');
			all.push(...(page as unknown as Execution[]));
			if (page.length < 100) return all;
		}
	}

	async execution(id: string): Promise<ExecutionResult> {
		const answer = await this.call('GET', `/executions/${id}`);
		const data = typeof answer.data === 'string' ? unflatten(answer.data) : {};
		const { error } = asRecord(asRecord(data).resultData);
		return {
			status: text(answer, 'status'),
			problem: String(asRecord(error).message ?? ''),
			output: (node) => outputOf(data, node),
		};
	}

	async nodeTypes(): Promise<string[]> {
		return (await this.nodeDescriptions()).map((type) => text(type, 'name'));
	}

	/** One for each node, and for some of their older versions. */
	async nodeDescriptions(): Promise<JsonRecord[]> {
		const answer = await fetch(`${this.url}/types/nodes.json`, {
			headers: { cookie: this.cookie },
		});
		const types: unknown = await answer.json();
		return Array.isArray(types) ? types.map(asRecord) : [];
	}

	private async enter(path: string, body: JsonRecord): Promise<void> {
		const response = await this.send('POST', path, body);
		const cookie = response.headers.getSetCookie().find((line) => line.startsWith('n8n-auth='));
		if (!cookie) throw new Error(`${path} gave no login: ${response.status}`);
		this.cookie = cookie.split(';')[0] ?? '';
		this.project = text(await this.call('GET', '/projects/personal'), 'id');
	}

	private async call(method: string, path: string, body?: unknown): Promise<JsonRecord> {
		const response = await this.send(method, path, body);
		const answer: unknown = await response.json().catch(() => ({}));
		if (!response.ok) {
			throw new Error(
				`${method} ${path}: ${response.status} ${JSON.stringify(answer).slice(0, 500)}`,
			);
		}
		return asRecord(asRecord(answer).data);
	}

	private async send(method: string, path: string, body?: unknown): Promise<Response> {
		const ask = () =>
			fetch(`${this.url}/rest${path}`, {
				method,
				headers: { cookie: this.cookie, 'content-type': 'application/json' },
				body: body === undefined ? undefined : JSON.stringify(body),
			});
		if (method !== 'GET') return await ask();
		// A kept connection may be closed by n8n just as it is used again, and reading twice does no harm.
		let response = await ask().catch(ask);
		// On a busy machine, n8n may not reach its database for a while.
		for (let tries = 1; response.status === 503 && tries < MAX_READS; tries++) {
			await pause(READ_AGAIN_MS);
			response = await ask();
		}
		return response;
	}
}

export function asRecord(value: unknown): JsonRecord {
	return typeof value === 'object' && value !== null ? (value as JsonRecord) : {};
}

function text(record: JsonRecord, name: string): string {
	const value = record[name];
	if (typeof value !== 'string')
		throw new Error(`no ${name} in ${JSON.stringify(record).slice(0, 300)}`);
	return value;
}

function listIn(record: JsonRecord, name: string): JsonRecord[] {
	const value = record[name];
	if (!Array.isArray(value))
		throw new Error(`no list ${name} in ${JSON.stringify(record).slice(0, 300)}`);
	return value.map(asRecord);
}

function outputOf(data: unknown, node: string): JsonRecord[] {
	const runData = asRecord(asRecord(asRecord(data).resultData).runData);
	const runs = Array.isArray(runData[node]) ? (runData[node] as unknown[]) : [];
	return runs.flatMap((run) => {
		const main = asRecord(asRecord(run).data).main;
		const first: unknown = Array.isArray(main) ? main[0] : undefined;
		return Array.isArray(first) ? first.map((item: unknown) => asRecord(asRecord(item).json)) : [];
	});
}

/** n8n stores an execution as one list of values that refer to each other by their place in it. */
function unflatten(stored: string): unknown {
	const places = JSON.parse(stored) as unknown[];
	const done = new Map<number, unknown>();
	const at = (place: number): unknown => {
		if (done.has(place)) return done.get(place);
		const value = places[place];
		if (typeof value !== 'object' || value === null) return value;
		const filled: JsonRecord | unknown[] = Array.isArray(value) ? [] : {};
		done.set(place, filled);
		for (const [name, inner] of Object.entries(value)) {
			const resolved = typeof inner === 'string' ? at(Number(inner)) : (inner as unknown);
			(filled as JsonRecord)[name] = resolved;
		}
		return filled;
	};
	return at(0);
}
