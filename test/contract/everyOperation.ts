/** For every operation of the node: parameters that succeed against the fake service. */
import type { INodeExecutionData } from 'n8n-workflow';

import {
	ENDPOINTS,
	endpointNames,
	type EndpointName,
} from '../../nodes/LeadGenPublishing/api/endpoints';
import { WORDS, type Account, type FakeService } from '../../fake-service/index';
import { withBinary } from '../support/engine';
import { byId, type Parameters } from '../support/kit/values';

export interface Prepared {
	parameters: Parameters;
	items?: INodeExecutionData[];
	/** The path that must arrive at the service. For clients, it is below the client's path. */
	path: string;
}

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');

type Prepare = (service: FakeService, account: Account) => Prepared | Promise<Prepared>;

/**
 * Paths that need a record or a name: what the service must have, and the parameter that it fills.
 */
const BEGINNINGS: Readonly<Record<string, Prepare>> = {
	'/posts/{id}': ({ world }, account) => {
		account.boosts = [];
		const { id } = world.addPost(account, { status: 'scheduled' });
		return { parameters: { postId: byId(id) }, path: `/posts/${id}` };
	},
	'/lead-magnets/{id}': ({ world }, account) => {
		const { id } = world.addLeadMagnet(account);
		return { parameters: { leadMagnetId: byId(id) }, path: `/lead-magnets/${id}` };
	},
	'/clients/{clientId}': ({ world: { clientA } }) => ({
		parameters: { clientId: byId(clientA.id) },
		path: `/clients/${clientA.id}`,
	}),
	'/workspaces/{workspaceId}': (_, { workspaceId }) => ({
		parameters: { workspaceId },
		path: `/workspaces/${workspaceId}`,
	}),
	'/{networkWord}': () => ({ parameters: {}, path: `/${WORDS.network}` }),
};

/** Creates what the path names, and returns what else the operation needs. */
const fromTable =
	(name: EndpointName, given: Parameters = {}): Prepare =>
	async (service, account) => {
		const { path, answer } = ENDPOINTS[name];
		const beginning = Object.keys(BEGINNINGS).find((one) => path.startsWith(one)) ?? '';
		const begun = await BEGINNINGS[beginning]?.(service, account);
		const rest = path.slice(beginning.length);
		if (rest.includes('{'))
			throw new Error(
				`BEGINNINGS of test/contract/everyOperation.ts lacks the beginning of ${path}: a record that this path needs, and the parameter that names it`,
			);
		return {
			path: (begun?.path ?? '') + rest,
			parameters: { ...begun?.parameters, ...(answer === 'list' ? { limit: 2 } : {}), ...given },
		};
	};

/** The parameters that an operation needs in addition to the IDs in its path. */
const GIVEN: Readonly<Partial<Record<EndpointName, Parameters>>> = {
	'leadMagnet.create': {
		deliveryMode: 'external_link',
		keyword: 'GUIDE',
		resourceName: 'The guide',
		resourceLink: 'https://example.com/guide',
	},
	'leadMagnet.update': { updateFields: { description: 'New' } },
	'media.createUploadUrl': { fileName: 'a.png', contentType: 'image/png', fileSize: 16 },
	'post.create': { text: 'A post' },
	'post.startFastResponse': { interval: 5, duration: 30 },
	'post.update': { updateFields: { notes: 'New' } },
	'socialAction.create': { body: '{"kind":"comment"}' },
};

/** Operations that share an endpoint with another one. */
const FURTHER = [
	'leadMagnet.upsert',
	'media.upload',
	'post.upsert',
	'schedule.nextFreeSlot',
] as const;
type Further = (typeof FURTHER)[number];
const isFurther = (name: string): name is Further => FURTHER.some((one) => one === name);

/** Each preparation is a new row: its record does not exist yet. */
let rows = 0;

/** Those that need something to exist first. */
const PREPARE: Readonly<Partial<Record<EndpointName, Prepare>> & Record<Further, Prepare>> = {
	'leadMagnet.upsert': () => ({
		parameters: { ...GIVEN['leadMagnet.create'], keyword: `GUIDE${(rows += 1)}` },
		path: '/lead-magnets',
	}),
	'media.delete': ({ world }, account) => {
		const path = `${account.id}/${world.uuid()}.png`;
		const about = { content_type: 'image/png', size: 16, sha256: '', bytes: PNG };
		account.media.set(path, { path, ...about });
		return { parameters: { path }, path: '/media' };
	},
	'media.upload': async () => ({
		parameters: { binaryPropertyName: 'data' },
		items: [
			await withBinary({ json: {} }, { buffer: PNG, mimeType: 'image/png', fileName: 'a.png' }),
		],
		path: '/media/upload-url',
	}),
	'post.upsert': () => ({
		parameters: { text: 'A post', uniqueKey: `row-${(rows += 1)}` },
		path: '/posts',
	}),
	'networkOrganization.refresh': async (service, account) => {
		account.refreshedAt = null;
		return await fromTable('networkOrganization.refresh')(service, account);
	},
	'schedule.nextFreeSlot': () => ({ parameters: { slots: 'Monday 09:00' }, path: '/posts' }),
	'post.stopFastResponse': async (service, account) => {
		const prepared = await fromTable('post.stopFastResponse')(service, account);
		const post = prepared.path.split('/')[2] ?? '';
		const from = Date.now() - 1000;
		account.boosts.push({ post, interval: 5, duration: 30, from, until: from + 1_800_000 });
		return prepared;
	},
};

export type OperationName = EndpointName | Further;
export const operationNames: readonly OperationName[] = [...endpointNames, ...FURTHER];

/** Whether the operation of this name returns the records of a list. */
export const isList = (name: string): boolean =>
	endpointNames.some((one) => one === name && ENDPOINTS[one].answer === 'list');

/** Whether its path names a record. `prepare` creates a new one each time. */
export const isBelowRecord = (name: string): boolean =>
	endpointNames.some((one) => one === name && ENDPOINTS[one].path.includes('{id}'));

const prepareFor = (name: OperationName): Prepare =>
	isFurther(name) ? PREPARE[name] : (PREPARE[name] ?? fromTable(name, GIVEN[name]));

/** `agency` prepares it for the first client of the fake service's agency. */
export async function prepare(
	service: FakeService,
	name: OperationName,
	{ agency = false }: { agency?: boolean } = {},
): Promise<Prepared> {
	const { own, clientA } = service.world;
	const account = agency ? clientA : own;
	const { parameters, items, path } = await prepareFor(name)(service, account);
	const [resource, operation] = name.split('.');
	const who = agency ? { actAs: 'client', clientId: byId(clientA.id) } : {};
	return {
		parameters: { resource, operation, ...parameters, ...who },
		items,
		path: agency ? `/clients/${clientA.id}${path}` : path,
	};
}
