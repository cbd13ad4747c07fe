// What an editor of n8n asks for by hand, beyond what the demo needs.

import { asRecord, OWNER, type JsonRecord } from './n8nApi';

export interface Session {
	/** n8n's "Retry" of an execution: runs it to its end, and gives the id of the new one. */
	retry(execution: string): Promise<string>;
	createCredential(name: string, type: string, data: JsonRecord): Promise<string>;
}

export async function logIn(url: string): Promise<Session> {
	const headers = { 'content-type': 'application/json' };
	const body = JSON.stringify({ emailOrLdapLoginId: OWNER.email, password: OWNER.password });
	const login = await fetch(`${url}/rest/login`, { method: 'POST', headers, body });
	const cookies = login.headers.getSetCookie().map((cookie) => cookie.split(';')[0] ?? '');
	const cookie = cookies.find((one) => one.startsWith('n8n-auth=')) ?? '';
	const idFrom = async (path: string, sent: JsonRecord): Promise<string> => {
		const response = await fetch(`${url}/rest${path}`, {
			method: 'POST',
			headers: { ...headers, cookie },
			body: JSON.stringify(sent),
		});
		const answer: unknown = await response.json().catch(() => ({}));
		const { id } = asRecord(asRecord(answer).data);
		if (typeof id === 'string') return id;
		throw new Error(`${path}: ${response.status} ${JSON.stringify(answer).slice(0, 300)}`);
	};
	return {
		retry: (execution) => idFrom(`/executions/${execution}/retry`, { loadWorkflow: false }),
		createCredential: (name, type, data) => idFrom('/credentials', { name, type, data }),
	};
}
