// `npm run diagnose -- --base-url https://…`: what Account > Diagnose says, without n8n.

import { accessSync, constants, existsSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { IHttpRequestOptions } from 'n8n-workflow';

import { InputError } from '../../nodes/LeadGenPublishing/api/failure';
import type { HttpFunctions } from '../../nodes/LeadGenPublishing/api/transport';
import { collect } from '../../nodes/LeadGenPublishing/diagnose/collect/collect';
import type { Item } from '../../nodes/LeadGenPublishing/diagnose/judge/item';
import { judge, needingAttention } from '../../nodes/LeadGenPublishing/diagnose/judge/judge';
import { reportOf } from '../../nodes/LeadGenPublishing/diagnose/judge/report';
import { shapesOf } from './shapes';

const KEY = 'LEADGEN_API_KEY';
const HELP = `Says how the service behaves, with the API key in the environment (${KEY}).

  --base-url URL        URL of the API v1
  --client ID           look at this client of the agency, in place of the first ten
  --also-try-writes     also create a draft, a lead magnet and an image, and remove them again
  --all                 every check, also those that found nothing
  --report              only the report to paste into a bug report
  --save FILE           write the shapes of the responses; npx tsx fake-service/main.ts --shapes FILE plays them
`;

async function main(): Promise<number> {
	const { values } = parseArgs({
		options: {
			'base-url': { type: 'string' },
			client: { type: 'string' },
			'also-try-writes': { type: 'boolean', default: false },
			all: { type: 'boolean', default: false },
			report: { type: 'boolean', default: false },
			save: { type: 'string' },
			help: { type: 'boolean', default: false },
		},
	});
	const { [KEY]: apiKey = '' } = process.env;
	const { 'base-url': baseUrl = '', client: clientId, 'also-try-writes': withWrites } = values;
	if (values.help) {
		process.stdout.write(HELP);
		return 0;
	}
	if (baseUrl === '') throw new Error('--base-url is missing: enter the URL of the API v1.');
	if (apiKey.trim() === '') throw new Error(`${KEY} is missing: set it to the API key.`);
	if (values.save !== undefined) requireWritable(values.save);
	const facts = await collect(httpFunctions({ baseUrl, apiKey }), {
		clientId,
		withWrites,
		maxWaitMs: undefined,
		isInN8n: false,
		onLeft: () => undefined,
	});
	process.stderr.write('\r');
	const items = judge(facts);
	const shown = values.all ? items : needingAttention(items);
	process.stdout.write(values.report ? reportOf(items) : `${shown.map(inLines).join('\n')}\n`);
	if (values.save !== undefined)
		writeFileSync(values.save, `${JSON.stringify(shapesOf(facts), undefined, '\t')}\n`);
	return items[0]?.result === 'ok' ? 0 : 1;
}

const inLines = ({ check, result, seen, means, do_next: next, service_says: says, left }: Item) =>
	[
		`${result.toUpperCase()}  ${check}: ${means}`,
		next,
		`Seen: ${seen}`,
		says === '' ? '' : `The service says: ${says}`,
		left.length === 0 ? '' : `Left: ${left.join(', ')}`,
	]
		.filter((text) => text !== '')
		.join('\n    ');

/** Before the first request: nobody waits for a diagnosis that cannot be saved. */
function requireWritable(file: string): void {
	try {
		accessSync(existsSync(file) ? file : dirname(resolve(file)), constants.W_OK);
	} catch {
		throw new Error(`--save: ${file} cannot be written.`);
	}
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

/** What is wrong with an argument, the URL or the key is reported to the person who has typed it. */
function printError(error: unknown): number {
	const remedy = error instanceof InputError ? `\n    ${error.remedy}` : '';
	process.stderr.write(`\r${error instanceof Error ? error.message : String(error)}${remedy}\n`);
	return 2;
}

void main()
	.catch(printError)
	.then((code) => (process.exitCode = code));
