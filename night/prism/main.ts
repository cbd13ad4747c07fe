// `npm run test:n8n -- prism`: can a mock server by others play the service from `docs/openapi.json`, and
// does the fake service follow it? Every operation runs on n8n's engine, for the own account and a client.

import { parseArgs } from 'node:util';

import type { ICredentialType, INodeType } from 'n8n-workflow';

import { startService, type FakeService } from '../../fake-service';
import { agencyPath, endpointNames } from '../../nodes/LeadGenPublishing/api/endpoints';
import { ROOT } from '../../scripts/n8n/folders';
import { buildPackage } from '../../scripts/n8n/package';
import { runCommand } from '../../scripts/n8n/command';
import { aligned, say, step } from '../../scripts/n8n/progress';
import { operationNames, prepare, type OperationName } from '../../test/contract/everyOperation';
import { loadPackage, runNode, stopInstance } from '../../test/support/engine';
import { startPrism } from './server';

const HELP = `Runs every operation against Prism, a mock server, which plays docs/openapi.json with its
examples, then with random values, and then validates what the nodes and the fake service say.

  --rounds 5   rounds with random values (3)
`;

const { values } = parseArgs({
	options: { rounds: { type: 'string', default: '3' }, help: { type: 'boolean', default: false } },
});

type Kind = 'examples' | 'random' | 'proxy';
/** What Prism cannot play. */
const LEFT_OUT: Readonly<Record<Kind, ReadonlySet<OperationName>>> = {
	// No storage takes the file.
	examples: new Set(['media.upload']),
	// A post with a random status is no draft, so the node does not delete it.
	random: new Set(['media.upload', 'post.delete']),
	// Prism puts a slash behind the Base URL.
	proxy: new Set(['account.getApiInfo']),
};

interface Run {
	name: OperationName;
	agency: boolean;
}

/** Operations without an endpoint of their own are for clients, too. */
const isForClients = (name: OperationName): boolean => {
	const endpoint = endpointNames.find((one) => one === name);
	return endpoint === undefined || agencyPath(endpoint) !== undefined;
};
const RUNS: readonly Run[] = operationNames.flatMap((name) =>
	[false, ...(isForClients(name) ? [true] : [])].map((agency) => ({ name, agency })),
);

/** As n8n loads them. */
interface Loaded {
	node: INodeType;
	credentialType: ICredentialType;
}

async function load(): Promise<Loaded> {
	const { nodeTypes, credentialTypes } = await loadPackage(ROOT);
	const node = nodeTypes.leadGenPublishing?.type;
	const credentialType = credentialTypes.leadGenPublishingApi?.type;
	if (node === undefined || !('description' in node) || credentialType === undefined)
		throw new Error('dist/ does not contain the node and the credential');
	return { node: node as INodeType, credentialType };
}

interface Played {
	row: string[];
	passed: boolean;
}

interface Against {
	loaded: Loaded;
	service: FakeService;
}

const NO_ITEM = 'no item';

/** Undefined if it succeeded. */
async function problemOf(
	{ name, agency }: Run,
	{ loaded, service, url }: Against & { url: string },
): Promise<string | undefined> {
	const { parameters, items } = await prepare(service, name, { agency });
	const { keys } = service.world;
	const isAgencys = agency || parameters.resource === 'client';
	const { error, outputs } = await runNode({
		...loaded,
		credentials: { baseUrl: url, apiKey: isAgencys ? keys.agency : keys.own },
		parameters,
		...(items && { items }),
	});
	if (error !== undefined)
		return `${error.message} ${String((error as { description?: unknown }).description ?? '')}`;
	return (outputs[0] ?? []).length > 0 ? undefined : NO_ITEM;
}

/** Prism itself keeps nothing, so a new record has lost its key, and the node must say so. */
const losesKey = ({ name }: Run, kind: Kind): boolean =>
	kind !== 'proxy' && name.endsWith('.upsert');

const unlessKeyLost = (found: string | undefined): string | undefined =>
	found?.includes('did not keep its') ? undefined : (found ?? 'does not notice the lost key');

async function play(kind: Kind, against: Against): Promise<Played> {
	const upstream = against.service.baseUrl;
	const prism = await startPrism(kind === 'proxy' ? { upstream } : kind);
	const runs = RUNS.filter(({ name }) => !LEFT_OUT[kind].has(name));
	const problems: string[] = [];
	for (const run of runs) {
		const found = await problemOf(run, Object.assign({ url: prism.url }, against));
		const problem = losesKey(run, kind) ? unlessKeyLost(found) : found;
		// A random list may be empty.
		if (problem !== undefined && !(kind === 'random' && problem === NO_ITEM))
			problems.push(`${run.name}${run.agency ? ' for a client' : ''}: ${problem}`);
	}
	await prism.close();
	for (const line of [...problems, ...prism.violations]) say(`  ${line}`);
	const { length } = runs;
	return {
		row: [kind, `${length - problems.length} of ${length}`, `${prism.violations.length}`],
		passed: problems.length + prism.violations.length === 0,
	};
}

runCommand(async () => {
	if (values.help) {
		say(HELP);
		return 0;
	}
	await step('Building', buildPackage);
	const service = await startService({ control: false });
	const against = { loaded: await load(), service };
	const rounds = Array.from({ length: Number(values.rounds) }, () => 'random' as const);
	const played: Played[] = [];
	for (const kind of ['examples', ...rounds, 'proxy'] as const)
		played.push(await step(`Prism: ${kind}`, () => play(kind, against)));
	await service.close();
	await stopInstance();
	for (const line of aligned([
		['Prism', 'succeeded', 'violations'],
		...played.map(({ row }) => row),
	]))
		say(line.trimEnd());
	return played.every(({ passed }) => passed) ? 0 : 1;
});
