/** Runs a saved node with the code of today, in the world that it met when it was saved. */
import type { IDataObject, INode, INodeExecutionData } from 'n8n-workflow';

import { LeadGenPublishingApi } from '../../credentials/LeadGenPublishingApi.credentials';
import { ETAG_HEADER, type FakeService, type LoggedRequest } from '../../fake-service/index';
import { LeadGenPublishing } from '../../nodes/LeadGenPublishing/LeadGenPublishing.node';
import { LeadGenPublishingTrigger } from '../../nodes/LeadGenPublishing/LeadGenPublishingTrigger.node';
import { pollRegistration, runNode, withBinary } from '../support/engine';
import type { Frozen, Saved } from './frozen';
import { hold, KEYS, serviceOf } from './world';

const MINUTE = 60_000;
const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');

export const [ACTION, TRIGGER] = [new LeadGenPublishing(), new LeadGenPublishingTrigger()];
export const nodeOf = ({ type }: Pick<INode, 'type'>) =>
	type.endsWith('Trigger') ? TRIGGER : ACTION;

/** The clock of service, node and engine then moves only when told. */
export const stopTime = (at: string): void =>
	void jest.useFakeTimers({
		now: Date.parse(at),
		doNotFake: [
			...(['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'hrtime'] as const),
			...(['nextTick', 'setImmediate', 'clearImmediate', 'queueMicrotask', 'performance'] as const),
		],
	});

interface Run {
	items: INodeExecutionData[];
	/** Of a trigger: its state after the first poll, and the items of the second one. */
	goingOn?: { state: IDataObject; items: INodeExecutionData[] };
}

/** `state`: of a trigger that goes on where another version stopped. */
export async function replay(
	saved: Saved,
	state?: IDataObject,
): Promise<Pick<Frozen, 'outcome' | 'goingOn'>> {
	const { world, node, key } = saved;
	stopTime(world.at);
	const service = await serviceOf(world);
	const subject = {
		node: nodeOf(node),
		...{ typeVersion: node.typeVersion, nodeName: node.name, parameters: node.parameters },
		credentialType: LeadGenPublishingApi,
		credentials: { baseUrl: service.baseUrl, apiKey: KEYS[key] },
	};
	try {
		const { items, goingOn } =
			subject.node === TRIGGER
				? await pollTwice(saved, { service, subject, state })
				: await runOnce(saved, subject);
		const plain = plainIn(service, saved);
		return {
			outcome: inOrder(plain({ ...sentTo(service), items: recordsOf(items, node) })),
			...(goingOn && {
				goingOn: { ...goingOn, items: plain(recordsOf(goingOn.items, node)) },
			}),
		};
	} finally {
		await service.close();
		jest.useRealTimers();
	}
}

type Subject = Parameters<typeof runNode>[0];

async function runOnce({ hasFile }: Saved, subject: Subject): Promise<Run> {
	const item = { json: {} };
	const file = { buffer: PNG, mimeType: 'image/png', fileName: 'a.png' };
	const items = [hasFile ? await withBinary(item, file) : item];
	const { outputs, error } = await runNode({ ...subject, items });
	if (error !== undefined) throw new Error(`The run failed: ${error.message}`);
	return { items: outputs[0] ?? [] };
}

let processes = 0;

/**
 * n8n starts with the new version, which polls; then something happens, and it polls again. If
 * there is a state, it has happened before: who has lost the state, takes it for old.
 */
async function pollTwice(
	{ later = {}, world }: Saved,
	around: { service: FakeService; subject: Subject; state?: IDataObject },
): Promise<Run> {
	const { service, subject, state: stored } = around;
	// A process remembers by workflow and node.
	const nodeId = `frozen-${(processes += 1)}`;
	const node = pollRegistration({ ...subject, nodeId, durability: 'durable', stored });
	const happens = () => {
		jest.setSystemTime(Date.now() + MINUTE);
		const { joins, ...held } = later;
		hold(service.world.account(world.client.id), held);
		if (joins !== undefined) service.world.addClient(service.world.account(world.agency.id), joins);
	};
	if (stored !== undefined) happens();
	const first = await node.activate();
	const state = first.staticData;
	if (stored === undefined) happens();
	const second = await node.tick();
	const error = first.error ?? second.error;
	if (error !== undefined) throw new Error(`The poll failed: ${error.message}`);
	const items = second.items ?? [];
	return { items: [...(first.items ?? []), ...items], goingOn: { state, items } };
}

/** What a diagnosis looks at may change: its promise is which fields an item has. */
const recordsOf = (items: readonly INodeExecutionData[], { parameters }: INode): IDataObject[] =>
	parameters.operation === 'diagnose'
		? items.map(({ json }) => ({ json: Object.keys(json) }))
		: items.map(({ json, pairedItem }) => ({ json, pairedItem }) as unknown as IDataObject);

/** IDs that were made differ from run to run, so their reads are sorted without them. */
const inOrder = (outcome: Frozen['outcome']): Frozen['outcome'] => ({
	...outcome,
	reads: [...outcome.reads].sort(),
});

function sentTo({ requests, storageRequests }: FakeService): Omit<Frozen['outcome'], 'items'> {
	const isRead = ({ method }: LoggedRequest) => method === 'GET';
	return {
		writes: requests.filter((one) => !isRead(one)).map(writeOf),
		reads: [...new Set(requests.filter(isRead).map(readOf))],
		uploads: storageRequests.map(({ method, bytes, sha256, tokenOk }) => ({
			...{ method, bytes, sha256, tokenOk },
		})),
	};
}

function readOf({ path, query }: LoggedRequest): string {
	const { limit: _, offset: __, ...asked } = query;
	return [path, new URLSearchParams(asked).toString()].join('?');
}

const writeOf = ({ method, path, json, headers }: LoggedRequest): IDataObject => ({
	...{ method, path, body: (json ?? null) as IDataObject, etag: headers[ETAG_HEADER] ?? null },
	idempotencyKey: headers['idempotency-key'] ?? null,
});

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** Without what is another at every run: addresses, and IDs and keys that were not given. */
function plainIn({ baseUrl, storageUrl }: FakeService, given: unknown) {
	const known = JSON.stringify(given);
	return <T>(value: T): T =>
		JSON.parse(
			JSON.stringify(value)
				.replaceAll(baseUrl, '<service>')
				.replaceAll(storageUrl, '<storage>')
				.replace(UUID, (id) => (known.includes(id) ? id : '<made>'))
				.replace(/upl_[\w-]+/g, '<token>'),
		) as T;
}
