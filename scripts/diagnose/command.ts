// What `npm run diagnose` does.

import { accessSync, constants, existsSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { Client } from '../../nodes/LeadGenPublishing/api/client';
import { OWN_ACCOUNT } from '../../nodes/LeadGenPublishing/api/endpoints';
import { CredentialError } from '../../nodes/LeadGenPublishing/api/credentialError';
import { credentialInputError } from '../../nodes/LeadGenPublishing/words/credentialWords';
import { InputError } from '../../nodes/LeadGenPublishing/words/inputError';
import { collect } from '../../nodes/LeadGenPublishing/diagnose/collect/collect';
import type { Asked, Facts } from '../../nodes/LeadGenPublishing/diagnose/facts';
import { judge, needingAttention } from '../../nodes/LeadGenPublishing/diagnose/judge/judge';
import { dumpOf } from '../../nodes/LeadGenPublishing/diagnose/shapes';
import { serviceStateOf } from '../../nodes/LeadGenPublishing/diagnose/answers';
import { asker } from './asking';
import { exploreLists, type Explored } from './explore';
import { hostWithoutN8n } from './http';
import { observe } from './observe';
import { checkInLines, registerInLines } from './printed';
import { savedShapes } from './shapes';
import { tryWrites, type Trial } from './trial';

const KEY = 'LEADGEN_API_KEY';
const HELP = `Says whether you can work with a service, which doubts about it are settled, and what its responses
look like. Set ${KEY} to the API key. It only reads, unless you ask for more.

  --base-url URL     URL of the API v1
  --client ID        look at this client of the agency
  --try-writes       also create a draft and a file, observe them, and remove them
  --lead-magnet      also create a lead magnet and archive it. It is live at once, with a keyword of
                     20 random letters. Needs --try-writes
  --yes              do not ask before writing with a key that is not a test key
  --all              show every check, including those that found nothing
  --save FILE        save the shapes of the responses (npx tsx fake-service/main.ts --shapes FILE
                     uses them)
`;

/** What a command is given, and where it writes. */
export interface Terminal {
	readonly env: Readonly<Record<string, string | undefined>>;
	readonly stdout: { write(text: string): unknown };
	readonly stderr: { write(text: string): unknown };
	/** Asks the person a question. Undefined if nobody can answer. */
	readonly ask?: (question: string) => Promise<string>;
}

/** Returns the exit code. */
export async function diagnose(args: readonly string[], terminal: Terminal): Promise<number> {
	try {
		return await run(args, terminal);
	} catch (given) {
		const error = given instanceof CredentialError ? credentialInputError(given) : given;
		// What is wrong with an argument, the URL or the key is reported to the person who has typed it.
		const remedy = error instanceof InputError ? `\n    ${error.remedy}` : '';
		const message = error instanceof Error ? error.message : String(error);
		terminal.stderr.write(`\r${message}${remedy}\n`);
		return 2;
	}
}

const OPTIONS = {
	'base-url': { type: 'string' },
	client: { type: 'string' },
	'try-writes': { type: 'boolean', default: false },
	'lead-magnet': { type: 'boolean', default: false },
	yes: { type: 'boolean', default: false },
	all: { type: 'boolean', default: false },
	save: { type: 'string' },
	help: { type: 'boolean', default: false },
} as const;

const isTestKey = (key: string): boolean => /^[A-Za-z0-9_-]+_test_/.test(key);

async function run(args: readonly string[], terminal: Terminal): Promise<number> {
	const { env, stdout, stderr } = terminal;
	const { values } = parseArgs({ args: [...args], options: OPTIONS });
	if (values.help) {
		stdout.write(HELP);
		return 0;
	}
	const { 'base-url': baseUrl = '', client: clientId, save } = values;
	const apiKey = env[KEY]?.trim() ?? '';
	if (baseUrl === '') throw new Error('--base-url is missing. Enter the URL of the API v1.');
	if (apiKey === '')
		throw new Error(`${KEY} is missing. Set this environment variable to the API key.`);
	if (values['lead-magnet'] && !values['try-writes'])
		throw new Error('--lead-magnet needs --try-writes.');
	if (save !== undefined) requireWritable(save);
	if (values['try-writes'] && !values.yes && !isTestKey(apiKey)) await requireConsent(terminal);

	let sent = 0;
	const onRequest = () => void stderr.write(`\r${(sent += 1)} requests`);
	const client = await Client.connect(hostWithoutN8n({ baseUrl, apiKey }, onRequest));
	const facts = await collect(client, { clientId, maxWaitMs: undefined });
	const items = judge(facts);
	const asked: Asked[] = [...facts.asked];
	let lists: Explored[] = [];
	let trial: Trial | undefined;
	if (serviceStateOf(facts.greeting).kind === 'open') {
		const ask = asker(client, { clientId, asked });
		lists = await exploreLists(ask);
		const account = clientId === undefined ? OWN_ACCOUNT : ({ kind: 'client', clientId } as const);
		if (values['try-writes'])
			trial = await tryWrites(ask, {
				withMagnet: values['lead-magnet'],
				upload: async (given, bytes, contentType) => {
					const open = async () => await Promise.resolve(bytes);
					await client.upload(given, { size: bytes.length, contentType, open }, account);
				},
			});
	}
	stderr.write('\r');
	const { subject } = facts.greeting;
	const observed = observe({ apiKey, subject, lists, asked, trial });
	const shown = values.all ? items : needingAttention(items);
	stdout.write(
		[
			'# Can I work with this service?',
			shown.map(checkInLines).join('\n'),
			'# Doubts',
			registerInLines(observed),
			...(trial === undefined ? [] : ['# Removed', leftInWords(trial)]),
			'# Shapes',
			dumpOf(asked),
		].join('\n\n'),
	);
	if (save !== undefined) writeFileSync(save, shapesFile({ ...facts, asked }, lists));
	return items[0]?.result === 'ok' && (trial?.left.length ?? 0) === 0 ? 0 : 1;
}

const shapesFile = (facts: Facts, lists: readonly Explored[]): string =>
	`${JSON.stringify(savedShapes(facts, lists), undefined, '\t')}\n`;

const leftInWords = ({ left }: Trial): string =>
	left.length === 0
		? 'Everything that was created was removed.'
		: `Please delete these if they still exist: ${left.join(', ')}.`;

/** Nobody should wait for a diagnosis that cannot be saved. */
function requireWritable(file: string): void {
	try {
		accessSync(existsSync(file) ? file : dirname(resolve(file)), constants.W_OK);
	} catch {
		throw new Error(`--save: cannot write to ${file}.`);
	}
}

async function requireConsent({ ask }: Terminal): Promise<void> {
	const question = 'This is not a test key. Create and remove a draft and a file with it? (y/N) ';
	const answer = await ask?.(question);
	if (!/^y(es)?$/i.test(answer?.trim() ?? ''))
		throw new Error('Nothing was sent. Use a test key, answer "y", or add --yes.');
}
