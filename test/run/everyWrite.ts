/** Every write, for the tests that let each of them fail. A write of several requests has a row for each. */
import type { JsonRecord } from '../../nodes/LeadGenPublishing/api/schemas';
import { CLIENT, idOf } from './scriptedRun';

const published = {
	...{ id: idOf(0), status: 'published', text: 'old' },
	published_mutation_capabilities: { can_edit: true, can_delete: true, edit_etag: 'pv_1' },
};
export const scheduled = { id: idOf(0), status: 'scheduled', text: 'old' };
const MAGNET = { deliveryMode: 'external_link', keyword: 'K', resourceName: 'Guide' };
const FILE = { fileName: 'a.png', contentType: 'image/png', fileSize: 1 };

export interface Write {
	readonly name: string;
	readonly given?: JsonRecord;
	readonly record?: JsonRecord;
	/** What identifies the item: a new value in each run, because the process remembers it. */
	readonly recognisedBy?: 'uniqueKey' | 'keyword';
	/** What lists show. */
	readonly listed?: (recognisedBy: string) => JsonRecord;
	/**
	 * The request that fails, if there are several writes. For a client, without the client's path.
	 */
	readonly at?: string;
	/** Doing it twice does no harm, so its outcome does not matter. */
	readonly harmless?: true;
	/**
	 * How often three attempts send it if each may have succeeded. `same`: each time, as exactly the
	 * same request with the same idempotency key. Undefined: its attempts are played elsewhere.
	 */
	readonly afterDoubt?: number | 'same';
	/** Where the fields are is not documented: what is rejected in the body is sent in the query. */
	readonly maySendInQuery?: true;
}

const ROW = { recognisedBy: 'uniqueKey', given: { text: 'new', status: 'draft' } } as const;
const marked = (record: JsonRecord) => (key: string) => ({
	...record,
	notes: `[unique-key: ${key}]`,
});
const WITH_FILE = {
	text: 'new',
	additionalFields: { attachments: { files: [{ source: 'binary', binaryPropertyName: 'data' }] } },
};
const ROW_WITH_FILE = {
	recognisedBy: 'uniqueKey',
	given: { ...WITH_FILE, status: 'draft' },
} as const;
const MAGNET_ROW = {
	...{ name: 'leadMagnet.upsert', recognisedBy: 'keyword' as const },
	given: { ...MAGNET, resourceLink: 'https://example.com/guide' },
};
export const UPLOAD = 'POST /media/upload-url';
const CREATE = 'POST /posts';

export const WRITES: Readonly<Record<string, Write>> = {
	'a new post': { name: 'post.create', given: { text: 'new' }, afterDoubt: 1 },
	'the text of a published post': {
		...{ name: 'post.update', record: published, given: { updateFields: { text: 'new' } } },
		afterDoubt: 'same',
	},
	'the notes of a published post': {
		...{ name: 'post.update', record: published, given: { updateFields: { notes: 'new' } } },
		afterDoubt: 'same',
	},
	'a scheduled post': {
		...{ name: 'post.update', given: { updateFields: { notes: 'new' } }, afterDoubt: 1 },
	},
	'the deletion of a published post': {
		...{ name: 'post.delete', record: published, given: { confirmPublished: true } },
		afterDoubt: 'same',
	},
	'the deletion of a scheduled post': { name: 'post.delete', afterDoubt: 3 },
	start: {
		...{ name: 'post.startFastResponse', given: { interval: 5, duration: 30 } },
		afterDoubt: 'same',
	},
	stop: { name: 'post.stopFastResponse', afterDoubt: 1 },
	'a new lead magnet': {
		...{ name: 'leadMagnet.create', afterDoubt: 1 },
		given: { ...MAGNET, resourceLink: 'https://example.com/guide' },
	},
	'a lead magnet': {
		...{ name: 'leadMagnet.update', afterDoubt: 1 },
		given: { updateFields: { description: 'new' } },
	},
	archiving: { name: 'leadMagnet.archive', afterDoubt: 3 },
	'the deletion of a file': {
		...{ name: 'media.delete', given: { path: 'a.png' } },
		...{ afterDoubt: 1, maySendInQuery: true },
	},
	'an upload URL': {
		...{ name: 'media.createUploadUrl', given: FILE, harmless: true, afterDoubt: 3 },
	},
	'a social action': {
		...{ name: 'socialAction.create', afterDoubt: 'same' },
		given: { workspaceId: CLIENT, body: '{"kind":"comment"}' },
	},
	'a refresh': { name: 'networkOrganization.refresh', harmless: true, afterDoubt: 3 },
	'the URL of an upload': {
		...{ name: 'media.upload', given: { binaryPropertyName: 'data' }, at: UPLOAD, harmless: true },
		afterDoubt: 3,
	},
	'the new post of a row': { name: 'post.upsert', ...ROW },
	'the edited post of a row': {
		...{ name: 'post.upsert', ...ROW },
		...{ record: scheduled, listed: marked(scheduled) },
	},
	'the edited, published post of a row': {
		...{ name: 'post.upsert', ...ROW },
		...{ record: published, listed: marked(published) },
	},
	'the lead magnet of a row': MAGNET_ROW,
	'the edited lead magnet of a row': {
		...MAGNET_ROW,
		listed: (keyword) => ({
			...{ id: idOf(0), keyword, resource_name: 'Guide', delivery_mode: 'external_link' },
			resource_link: 'https://example.com/old',
		}),
	},
	'the upload for a new post': {
		name: 'post.create',
		given: WITH_FILE,
		at: UPLOAD,
		harmless: true,
	},
	'a new post with a file': { name: 'post.create', given: WITH_FILE, at: CREATE },
	'the upload for the post of a row': {
		...{ name: 'post.upsert', ...ROW_WITH_FILE, at: UPLOAD, harmless: true },
	},
	'the new post of a row with a file': { name: 'post.upsert', ...ROW_WITH_FILE, at: CREATE },
	'the upload for the edited post of a row': {
		...{ name: 'post.upsert', ...ROW_WITH_FILE, at: UPLOAD, harmless: true },
		...{ record: scheduled, listed: marked(scheduled) },
	},
	'the edited post of a row with another file': {
		...{ name: 'post.upsert', ...ROW_WITH_FILE, at: 'PATCH /posts/<id>' },
		...{ record: scheduled, listed: marked(scheduled) },
	},
};
