/** For every write that is remembered: parameters of an item, and what a service may answer to it. */
import { randomUUID } from 'crypto';

import type { Operation } from '../../nodes/LeadGenPublishing/operations/define';
import { RESOURCES } from '../../nodes/LeadGenPublishing/operations/index';

export type Json = Record<string, unknown>;

export const REMEMBERED: ReadonlyArray<[name: string, resource: string, operation: Operation]> =
	RESOURCES.flatMap(({ value, operations }) =>
		operations
			.filter(({ kind, repeatable }) => kind === 'write' && repeatable !== true)
			.map((operation): [string, string, Operation] => [
				`${value} > ${operation.value}`,
				value,
				operation,
			]),
	);

/** Another ID for each item, the same one whenever it is asked for. */
export function idsFor() {
	const ids = new Map<string, string>();
	return (name: string, item: number): string => {
		const key = `${name}/${item}`;
		if (!ids.has(key)) ids.set(key, randomUUID());
		return ids.get(key) ?? '';
	};
}

const WORKSPACE = randomUUID();
const ACCOUNT = randomUUID();
/** Answers come at uneven intervals. */
const at = (item: number, more = 0) =>
	new Date(Date.UTC(2030, 4, 6, 8) + item * 137 + ((item * 7919) % 61) + more).toISOString();

type IdOf = ReturnType<typeof idsFor>;

interface WriteSample {
	readonly parameters: (item: number, id: IdOf) => Json;
	/** What the operation gives for it. */
	readonly result: (item: number, id: IdOf) => Json;
}

const post = (item: number, id: IdOf): Json => ({
	id: id('post', item),
	status: 'draft',
	text: `The text of post ${item}, ${'with some more words, '.repeat(20)}`,
	images: [],
	created_at: at(item),
	updated_at: at(item),
	published_mutation_capabilities: null,
});
const magnet = (item: number, id: IdOf): Json => ({
	id: id('magnet', item),
	keyword: `GUIDE${item}`,
	resource_name: `Guide ${item}`,
	delivery_mode: 'external_link',
	resource_link: `https://example.com/guides/${item}`,
	created_at: at(item),
});
const boost = (status: string) => (item: number, id: IdOf) => ({
	post_id: id('post', item),
	status,
	interval_minutes: 10,
	duration_minutes: 60,
	starts_at: at(item),
	ends_at: at(item, 3_600_000),
});

export const SAMPLES: Readonly<Record<string, WriteSample>> = {
	'post > create': { parameters: (item) => ({ text: `Post ${item}` }), result: post },
	'post > update': {
		parameters: (item, id) => ({
			postId: id('post', item),
			updateFields: { notes: `Note ${item}` },
		}),
		result: post,
	},
	'post > delete': {
		parameters: (item, id) => ({ postId: id('post', item) }),
		result: (item, id) => ({ deleted: true, id: id('post', item) }),
	},
	'post > startFastResponse': {
		parameters: (item, id) => ({ postId: id('post', item) }),
		result: boost('scheduled'),
	},
	'post > stopFastResponse': {
		parameters: (item, id) => ({ postId: id('post', item) }),
		result: boost('stopped'),
	},
	'leadMagnet > create': {
		parameters: (item) => ({
			deliveryMode: 'external_link',
			keyword: `GUIDE${item}`,
			resourceName: `Guide ${item}`,
			resourceLink: `https://example.com/guides/${item}`,
		}),
		result: magnet,
	},
	'leadMagnet > update': {
		parameters: (item, id) => ({
			leadMagnetId: id('magnet', item),
			updateFields: { keyword: `GUIDE${item}` },
		}),
		result: magnet,
	},
	'leadMagnet > archive': {
		parameters: (item, id) => ({ leadMagnetId: id('magnet', item) }),
		result: (item, id) => ({ deleted: true, id: id('magnet', item) }),
	},
	'media > upload': {
		parameters: () => ({ binaryPropertyName: 'data' }),
		result: (item, id) => {
			const path = `${ACCOUNT}/${id('file', item)}-guide-${item}.pdf`;
			return {
				path,
				public_url: `https://storage.example.com/content-images/${path}`,
				bucket: 'content-images',
				content_type: 'application/pdf',
				size: 12_345 + item * 17,
			};
		},
	},
	'media > delete': {
		parameters: (item, id) => ({ path: `${ACCOUNT}/${id('file', item)}-guide-${item}.pdf` }),
		result: (item, id) => ({
			deleted: true,
			path: `${ACCOUNT}/${id('file', item)}-guide-${item}.pdf`,
		}),
	},
	'socialAction > create': {
		parameters: (item) => ({
			workspaceId: WORKSPACE,
			body: {
				type: 'message',
				text: `Dear reader number ${item}, thank you for your comment`,
				due_at: at(item, 86_400_000 + item * 400_000),
			},
		}),
		result: (item, id) => ({
			id: id('action', item),
			workspace_id: WORKSPACE,
			status: 'queued',
			created_at: at(item),
		}),
	},
};

/** The input item: a file where one is uploaded. */
export const inputItem = (name: string, item: number) => ({
	json: { item },
	...(name === 'media > upload'
		? {
				binary: {
					data: {
						data: '',
						mimeType: 'application/pdf',
						fileName: `guide-${item}.pdf`,
						bytes: 12_345 + item * 17,
					},
				},
			}
		: {}),
});
