// The credential in n8n's own HTTP Request node, where a workflow may name any address. All cases
// are nodes of one workflow, since a run of its own for each would take minutes.

import { runByHand } from '../../scripts/demo/furnishN8n';
import type { Stage } from '../../scripts/demo/stage';
import { CREDENTIAL_TYPE, type ExecutionResult, type JsonRecord } from '../../scripts/n8n/n8nApi';
import { node, start } from './workflows';

/** The newest version, and the last one that carried credentials over redirects by itself. */
const VERSIONS = [4.5, 4.3];
const REDIRECTS = [301, 302, 307, 308] as const;

interface Case {
	url: string;
	options?: JsonRecord;
	/** Whether the service gets the request, with the key. */
	arrives: boolean;
	/** What the node puts out. */
	words: string;
}

const NOT_SENT = 'The API key was not sent';

function casesAt(service: Stage['service']): Record<string, Case> {
	// By its name, as an upper-case host needs one.
	const base = service.baseUrl.replace('127.0.0.1', 'localhost');
	const foreign = service.redirectHost;
	const { host, origin } = new URL(base);
	const path = base.slice(origin.length);
	const answered = (url: string, words = '"data":', options?: JsonRecord): Case => ({
		...{ url: `${url}/me`, options, arrives: true, words },
	});
	const refused = (url: string): Case => ({ ...answered(url, NOT_SENT), arrives: false });
	const redirects = REDIRECTS.map(String).flatMap((status): Array<[string, Case]> => [
		[`redirect ${status}`, answered(base, status)],
		[
			`redirect ${status}, credentials asked for`,
			answered(base, status, { sendCredentialsOnCrossOriginRedirect: true }),
		],
	]);
	const asUser = `${host.replace(':', '%3a')}@${new URL(foreign).host}`;
	const pagination = { pagination: nextPage(`${foreign}${path}/me`) };
	return {
		'its address': answered(base),
		'an upper-case host': answered(base.replace(host, host.toUpperCase())),
		'another host': refused(`${foreign}${path}`),
		'another port': refused(`${foreign.replace('127.0.0.1', 'localhost')}${path}`),
		'another name of the host': refused(service.baseUrl),
		'a trailing dot': refused(base.replace('localhost', 'localhost.')),
		'a user name': refused(base.replace('//', '//someone@')),
		'the host as user name': refused(base.replace(host, asUser)),
		'another path': refused(origin),
		...Object.fromEntries(redirects),
		'a next page elsewhere': answered(base, NOT_SENT, { pagination }),
	};
}

const nextPage = (url: string): JsonRecord => ({
	...{ paginationMode: 'responseContainsNextURL', paginationCompleteWhen: 'other' },
	nextURL: `={{ $pageCount === 0 ? $request.uri : '${url}' }}`,
	completeExpression: '={{ $pageCount > 2 }}',
	...{ limitPagesFetched: true, maxRequests: 3, requestInterval: 0 },
});

const nameOf = (name: string, version: number) => `${name} (${version})`;
/** Tells in the service's log which node asked. */
const markOf = (name: string) => name.replace(/[^\w.]+/g, '-');

export function describeHttpRequestNode(opened: () => Stage): void {
	describe('the credential in the HTTP Request node', () => {
		let cases: Record<string, Case>;
		let ended: ExecutionResult;

		beforeAll(async () => {
			const { api, service } = opened();
			cases = casesAt(service);
			service.clearLog();
			for (const status of REDIRECTS) {
				const isAsked = (id = '') => id.startsWith(`redirect-${status}`);
				service.faults.add(
					{ kind: 'redirect', status },
					{ when: ({ headers }) => isAsked(headers['x-request-id']), count: Infinity },
				);
			}
			const name = 'By name';
			const baseUrl = service.baseUrl.replace('127.0.0.1', 'localhost');
			const id = await api.createCredential(name, { baseUrl, apiKey: service.world.keys.own });
			const asking = Object.entries(cases).flatMap(([label, { url, options = {} }]) =>
				VERSIONS.map((version) => {
					const mark = { name: 'X-Request-Id', value: markOf(nameOf(label, version)) };
					const parameters = {
						authentication: 'predefinedCredentialType',
						nodeCredentialType: CREDENTIAL_TYPE,
						...{ url, sendHeaders: true, headerParameters: { parameters: [mark] }, options },
					};
					return node(nameOf(label, version), ['httpRequest', version], parameters, {
						onError: 'continueRegularOutput',
						credentials: { [CREDENTIAL_TYPE]: { id, name } },
					});
				}),
			);
			const all = asking.map((one) => ({ node: one.name, type: 'main', index: 0 }));
			const workflow = await api.createWorkflow({
				...{ name: 'HTTP Request', nodes: [start, ...asking] },
				connections: { [start.name]: { main: [all] } },
				settings: { executionOrder: 'v1' },
			});
			ended = await runByHand(api, workflow);
			service.faults.clear();
		}, 300_000);

		const arrivedFrom = (mark: string) =>
			opened()
				.service.requests.filter(({ headers }) => headers['x-request-id'] === markOf(mark))
				.map(({ headers }) => headers.authorization);

		it('never sends anything to another host', () => {
			expect(opened().service.redirected).toEqual([]);
		});

		it.each(VERSIONS)('goes below its Base URL alone, in version %d', (version) => {
			const key = `Bearer ${opened().service.world.keys.own}`;
			for (const [label, { arrives, words }] of Object.entries(cases)) {
				const mark = nameOf(label, version);
				const output = JSON.stringify(ended.output(mark));
				expect({ mark, arrived: arrivedFrom(mark), output }).toEqual({
					...{ mark, arrived: arrives ? [key] : [] },
					output: expect.stringContaining(words),
				});
			}
		});
	});
}
