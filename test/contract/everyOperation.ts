/** For every operation of the node: parameters that succeed against the played service. */
import type { INodeExecutionData } from 'n8n-workflow';

import type { EndpointName } from '../../nodes/LeadGenPublishing/api/endpoints';
import { REFRESH_PATH, type Account, type PlayedService } from '../service/index';
import { withBinary } from '../support/engine';
import { byId, type Parameters } from './play';

export interface Prepared {
	parameters: Parameters;
	items?: INodeExecutionData[];
	/** The path that must arrive for the operation's own endpoint, below the client's for clients. */
	path: string;
}

export const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');

type Prepare = (service: PlayedService, account: Account) => Prepared | Promise<Prepared>;

const onPost =
	(rest: string, parameters: Parameters = {}): Prepare =>
	(service, account) => {
		account.boosts = [];
		const { id } = service.world.addPost(account, { status: 'scheduled' });
		return { parameters: { postId: byId(id), ...parameters }, path: `/posts/${id}${rest}` };
	};

const onMagnet =
	(rest: string, parameters: Parameters = {}): Prepare =>
	(service, account) => {
		const { id } = service.world.addLeadMagnet(account);
		return {
			parameters: { leadMagnetId: byId(id), ...parameters },
			path: `/lead-magnets/${id}${rest}`,
		};
	};

const plain =
	(path: string, parameters: Parameters = {}): Prepare =>
	() => ({ parameters, path });

const PREPARE: Readonly<Record<EndpointName | 'media.upload', Prepare>> = {
	'account.getApiInfo': plain(''),
	'account.getSubject': plain('/me'),
	'activity.getAll': plain('/activity', { limit: 2 }),
	'client.get': ({ world }) => ({
		parameters: { clientId: byId(world.clientA.id) },
		path: `/clients/${world.clientA.id}`,
	}),
	'client.getAll': plain('/clients', { limit: 2 }),
	'lead.getAll': plain('/leads', { limit: 2 }),
	'leadMagnet.archive': onMagnet(''),
	'leadMagnet.create': plain('/lead-magnets', {
		deliveryMode: 'external_link',
		keyword: 'GUIDE',
		resourceName: 'The guide',
		resourceLink: 'https://example.com/guide',
	}),
	'leadMagnet.get': onMagnet(''),
	'leadMagnet.getAll': plain('/lead-magnets', { limit: 2 }),
	'leadMagnet.getAnalytics': onMagnet('/analytics'),
	'leadMagnet.update': onMagnet('', { updateFields: { description: 'New' } }),
	'media.createUploadUrl': plain('/media/upload-url', {
		fileName: 'a.png',
		contentType: 'image/png',
		fileSize: 16,
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
	'networkOrganization.refresh': (_, account) => {
		account.refreshedAt = null;
		return { parameters: {}, path: REFRESH_PATH };
	},
	'post.create': plain('/posts', { text: 'A post' }),
	'post.delete': onPost(''),
	'post.get': onPost(''),
	'post.getAll': plain('/posts', { limit: 2 }),
	'post.getEngagement': onPost('/engagement'),
	'post.startFastResponse': onPost('/fast-response/start', { interval: 5, duration: 30 }),
	'post.stopFastResponse': async (service, account) => {
		const prepared = await onPost('/fast-response/stop')(service, account);
		const post = prepared.path.split('/')[2] ?? '';
		const from = Date.now() - 1000;
		account.boosts.push({ post, interval: 5, duration: 30, from, until: from + 1_800_000 });
		return prepared;
	},
	'post.update': onPost('', { updateFields: { notes: 'New' } }),
	'socialAction.create': (_, account) => ({
		parameters: { workspaceId: account.workspaceId, body: '{"kind":"comment"}' },
		path: `/workspaces/${account.workspaceId}/social-actions`,
	}),
};

export type OperationName = keyof typeof PREPARE;
export const operationNames = Object.keys(PREPARE) as OperationName[];

/** `agency` prepares it for the first client of the played agency. */
export async function prepare(
	service: PlayedService,
	name: OperationName,
	{ agency = false }: { agency?: boolean } = {},
): Promise<Prepared> {
	const { own, clientA } = service.world;
	const account = agency ? clientA : own;
	const { parameters, items, path } = await PREPARE[name](service, account);
	const [resource, operation] = name.split('.');
	const who = agency ? { actAs: 'client', clientId: byId(clientA.id) } : {};
	return {
		parameters: { resource, operation, ...parameters, ...who },
		items,
		path: agency ? `/clients/${clientA.id}${path}` : path,
	};
}
