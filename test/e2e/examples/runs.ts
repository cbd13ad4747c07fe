// The gallery that all tests of the examples share, and running an example in it, as a person would.

import type { FakeService } from '../../../fake-service';
import { published, runByHand } from '../../../scripts/demo/furnishN8n';
import type { ExampleName } from '../../../scripts/n8n/examples';
import { openGallery, type Gallery } from '../../../scripts/n8n/gallery';
import type {
	ExecutionResult,
	JsonRecord,
	StoredWorkflow,
	Workflow,
} from '../../../scripts/n8n/n8nApi';
import { logIn } from '../../../scripts/n8n/session';
import { startFileHost, type FileHost } from './fileHost';
import { withStandIns, type StandIns } from './standIns';

const INSTALL_AND_START_MS = 900_000;

let host: FileHost | undefined;
/** The host of pictures. */
export const files = (): FileHost => {
	if (host === undefined) throw new Error('the host of pictures has not started');
	return host;
};
let opened: Gallery | undefined;
export const gallery = (): Gallery => {
	if (opened === undefined) throw new Error('n8n has not started');
	return opened;
};
beforeAll(async () => {
	host = await startFileHost();
	opened = await openGallery(host.env);
}, INSTALL_AND_START_MS);
afterAll(async () => {
	await opened?.close();
	await host?.close();
}, 60_000);

export const world = (): FakeService['world'] => gallery().service.world;
export const ownPosts = () => world().own.posts.toArray();

interface Changes {
	/** What takes the place of its nodes, by their names. */
	instead?: StandIns;
	/** What its nodes put out without being run. */
	pinned?: Readonly<Record<string, readonly object[]>>;
	/** Of services that are imitated on loopback, by their type. */
	credentials?: Readonly<Record<string, JsonRecord>>;
}

export async function stored(
	name: ExampleName,
	{ instead = {}, pinned = {}, credentials = {} }: Changes = {},
): Promise<StoredWorkflow> {
	const imitated = Object.keys(credentials);
	const prepared = withStandIns(await gallery().prepared(name), instead, imitated);
	const session = await logIn(gallery().n8n.url);
	for (const [type, data] of Object.entries(credentials)) {
		const called = `${type} on loopback ${Date.now()}`;
		const made = { id: await session.createCredential(called, type, data), name: called };
		for (const node of prepared.nodes) if (node.credentials?.[type]) node.credentials[type] = made;
	}
	const pinData = Object.fromEntries(
		Object.entries(pinned).map(([node, items]) => [node, items.map((json) => ({ json }))]),
	);
	return await gallery().api.createWorkflow({ ...prepared, pinData } satisfies Workflow);
}

/** From its first node to its end, and what each node put out. */
export async function run(
	example: ExampleName | StoredWorkflow,
	from: string,
): Promise<ExecutionResult> {
	const workflow = typeof example === 'string' ? await stored(example) : example;
	return await runByHand(gallery().api, workflow, from);
}

export async function activate(workflow: StoredWorkflow): Promise<void> {
	await gallery().api.activate(workflow);
	await published(gallery().api, workflow);
}

/** The same with its triggers running; they stop once that is done. */
export async function whileActive<T>(workflow: StoredWorkflow, work: () => Promise<T>): Promise<T> {
	await activate(workflow);
	const done = await work();
	await gallery().api.deactivate(workflow);
	return done;
}

export const rowsOf = async (table: string): Promise<JsonRecord[]> => {
	const { api } = gallery();
	return await api.rows(await api.tableId(table));
};
