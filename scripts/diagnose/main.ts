// `npm run diagnose -- --base-url https://…`: what Account > Diagnose says, without an n8n.

import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { IHttpRequestOptions } from 'n8n-workflow';

import { Client } from '../../nodes/LeadGenPublishing/api/client';
import { InputError } from '../../nodes/LeadGenPublishing/api/failure';
import { OWN_ACCOUNT } from '../../nodes/LeadGenPublishing/api/endpoints';
import type { HttpFunctions } from '../../nodes/LeadGenPublishing/api/transport';
import {
	diagnosisOf,
	reportOf,
} from '../../nodes/LeadGenPublishing/operations/account/diagnose/check';
import { checksFor } from '../../nodes/LeadGenPublishing/operations/account/diagnose/checks/index';
import { look } from '../../nodes/LeadGenPublishing/operations/account/diagnose/diagnose';
import { bindApi } from '../../nodes/LeadGenPublishing/run/boundApi';
import { shapesOf } from './shapes';

const KEY = 'LEADGEN_API_KEY';
const HELP = `Says what the service is really like, with the API key in the environment (${KEY}).

  --base-url URL        address of the API v1
  --client ID           look at this client of the agency, in place of the first ten
  --also-try-writes     make a draft, a lead magnet and an image too, and remove them again
  --report              only the report to paste into a bug report
  --save FILE           write the shapes of the answers; npm run service -- --shapes FILE plays them
`;

async function main(): Promise<number> {
	const { values } = parseArgs({
		options: {
			'base-url': { type: 'string' },
			client: { type: 'string' },
			'also-try-writes': { type: 'boolean', default: false },
			report: { type: 'boolean', default: false },
			save: { type: 'string' },
			help: { type: 'boolean', default: false },
		},
	});
	const { [KEY]: apiKey } = process.env;
	const { 'base-url': baseUrl, client: clientId, 'also-try-writes': withWrites } = values;
	if (values.help || baseUrl === undefined || apiKey === undefined) {
		process.stdout.write(HELP);
		return values.help ? 0 : 2;
	}
	const functions = httpFunctions({ baseUrl, apiKey });
	const client = await Client.connect(functions);
	const api = bindApi(client, { account: OWN_ACCOUNT, item: 0, maxWaitMs: undefined });
	const account = clientId === undefined ? OWN_ACCOUNT : ({ kind: 'client', clientId } as const);
	const evidence = await look({ api, functions }, account, withWrites);
	process.stderr.write('\r');
	const items = diagnosisOf(checksFor(withWrites), evidence);
	const lines = items.map(({ check, result, seen, means, do_next: next }) =>
		[`${result.toUpperCase()}  ${check}: ${seen}`, means, next]
			.filter((text) => text !== '')
			.join('\n    '),
	);
	process.stdout.write(values.report ? reportOf(items) : `${lines.join('\n')}\n`);
	if (values.save !== undefined)
		writeFileSync(values.save, `${JSON.stringify(shapesOf(evidence), undefined, '\t')}\n`);
	return items[0]?.result === 'holds' ? 0 : 1;
}

/** As much of n8n as the client needs. */
function httpFunctions(credential: { baseUrl: string; apiKey: string }): HttpFunctions {
	let sent = 0;
	const send = async (
		{ url, qs = {}, method, headers, body, abortSignal }: IHttpRequestOptions,
		key?: string,
	) => {
		process.stderr.write(`\r${(sent += 1)} requests`);
		const address = new URL(url);
		for (const [name, value] of Object.entries(qs)) address.searchParams.set(name, String(value));
		const answer = await fetch(address, {
			method,
			headers: {
				...(headers as Record<string, string>),
				...(key === undefined ? {} : { Authorization: `Bearer ${key}` }),
			},
			body: body as NonNullable<RequestInit['body']> | undefined,
			redirect: 'manual',
			signal: abortSignal as AbortSignal | undefined,
		});
		return {
			statusCode: answer.status,
			headers: Object.fromEntries(answer.headers),
			body: await answer.text(),
		};
	};
	return {
		getNode: () => ({
			...{ id: '0', name: 'Diagnose', type: 'diagnose', typeVersion: 1 },
			...{ position: [0, 0], parameters: {} },
		}),
		getCredentials: async <T extends object>() => await Promise.resolve(credential as unknown as T),
		helpers: {
			httpRequest: async (options) => await send(options),
			httpRequestWithAuthentication: async (_, options) => await send(options, credential.apiKey),
		},
	};
}

/** What is wrong with an argument, the address or the key is for whoever has typed it. */
function told(error: unknown): number {
	const remedy = error instanceof InputError ? `\n    ${error.remedy}` : '';
	process.stderr.write(`\r${error instanceof Error ? error.message : String(error)}${remedy}\n`);
	return 2;
}

void main()
	.catch(told)
	.then((code) => (process.exitCode = code));
