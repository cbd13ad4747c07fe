// What `npm run diagnose` does.

import { accessSync, constants, existsSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { InputError } from '../../nodes/LeadGenPublishing/api/failure';
import { collect } from '../../nodes/LeadGenPublishing/diagnose/collect/collect';
import type { Item } from '../../nodes/LeadGenPublishing/diagnose/judge/item';
import { judge, needingAttention } from '../../nodes/LeadGenPublishing/diagnose/judge/judge';
import { reportOf } from '../../nodes/LeadGenPublishing/diagnose/judge/report';
import { tableOfDifferences } from './differences';
import { httpFunctions } from './http';
import { shapesOf } from './shapes';

const KEY = 'LEADGEN_API_KEY';
const HELP = `Checks what Account > Diagnose checks, without n8n. Set ${KEY} to the API key.

  --base-url URL        URL of the API v1
  --client ID           look at this client of the agency instead of the first ten
  --also-try-writes     also create a draft, a lead magnet and an image, and remove them again
  --all                 show every check, also those that found nothing
  --report              show only the report to paste into a bug report
  --save FILE           save the shapes of the responses (npx tsx fake-service/main.ts --shapes FILE uses them)

Without a service:

  --differences [NAME]  plant differences in the fake service, one at a time, and print a table of
                        what Diagnose says about each
`;

/** What a command is given, and where it writes. */
export interface Terminal {
	readonly env: Readonly<Record<string, string | undefined>>;
	readonly stdout: { write(text: string): unknown };
	readonly stderr: { write(text: string): unknown };
}

/** Returns the exit code. */
export async function diagnose(args: readonly string[], terminal: Terminal): Promise<number> {
	try {
		return await run(args, terminal);
	} catch (error) {
		// What is wrong with an argument, the URL or the key is reported to the person who has typed it.
		const remedy = error instanceof InputError ? `\n    ${error.remedy}` : '';
		terminal.stderr.write(`\r${error instanceof Error ? error.message : String(error)}${remedy}\n`);
		return 2;
	}
}

async function run(args: readonly string[], { env, stdout, stderr }: Terminal): Promise<number> {
	const { values, positionals } = parseArgs({
		args: [...args],
		options: {
			'base-url': { type: 'string' },
			client: { type: 'string' },
			'also-try-writes': { type: 'boolean', default: false },
			all: { type: 'boolean', default: false },
			report: { type: 'boolean', default: false },
			save: { type: 'string' },
			differences: { type: 'boolean', default: false },
			help: { type: 'boolean', default: false },
		},
		allowPositionals: true,
	});
	const { [KEY]: apiKey = '' } = env;
	const { 'base-url': baseUrl = '', client: clientId, 'also-try-writes': withWrites } = values;
	if (values.help) {
		stdout.write(HELP);
		return 0;
	}
	if (values.differences) {
		stdout.write(await tableOfDifferences(positionals));
		return 0;
	}
	const [surplus] = positionals;
	if (surplus !== undefined) throw new Error(`"${surplus}" is not an option. --help lists them.`);
	if (baseUrl === '') throw new Error('--base-url is missing. Enter the URL of the API v1.');
	if (apiKey.trim() === '')
		throw new Error(`${KEY} is missing. Set this environment variable to the API key.`);
	if (values.save !== undefined) requireWritable(values.save);
	let sent = 0;
	const onRequest = () => void stderr.write(`\r${(sent += 1)} requests`);
	const facts = await collect(httpFunctions({ baseUrl, apiKey }, onRequest), {
		clientId,
		withWrites,
		maxWaitMs: undefined,
		isInN8n: false,
		onLeft: () => undefined,
	});
	stderr.write('\r');
	const items = judge(facts);
	const shown = values.all ? items : needingAttention(items);
	stdout.write(values.report ? reportOf(items) : `${shown.map(inLines).join('\n')}\n`);
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
		throw new Error(`--save: cannot write to ${file}.`);
	}
}
