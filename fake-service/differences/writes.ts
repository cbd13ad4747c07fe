// Differences that only writes show.

import type { Effect } from '../faults';
import { isObject } from '../fields';
import type { LoggedRequest } from '../log';
import type { JsonObject } from '../types';
import {
	always,
	asked,
	changed,
	fails,
	post,
	raw,
	records,
	type Differences,
	type Plant,
	type Plantable,
} from './plant';
import { isOfTrial } from './trial';

const withoutTrial = ({ data, ...rest }: JsonObject): JsonObject => ({
	...rest,
	data: Array.isArray(data)
		? data.filter((one) => !isObject(one) || !isOfTrial(one))
		: (data ?? null),
});

/** The lead magnets of trials that were archived. */
const archivedIn = ({ world }: Plantable): JsonObject[] =>
	world.own.leadMagnets
		.toArray()
		.filter((magnet) => magnet.status === 'archived' && isOfTrial(magnet))
		.slice(-1)
		.map((magnet) => ({ ...magnet, status: 'active' }));

/** Changes the trial draft alone, wherever it is shown. */
const draft = (edit: (post: JsonObject) => void): Plant =>
	post((one) => {
		if (isOfTrial(one)) edit(one);
	});

const combine =
	(...plants: readonly Plant[]): Plant =>
	(service) => {
		const removes = plants.map((plant) => plant(service));
		return () => removes.forEach((remove) => remove());
	};

const deleted = (data: JsonObject, route: string): Plant =>
	always(raw({ data, request_id: 'r' }, {}), { route });

const NO_CONTENT: Effect = { kind: 'raw', status: 204, body: '', after: true };

export const WRITES = {
	emojisLost: [
		'emojis are lost',
		draft((one) => (one.text = String(one.text).replace(/\p{Extended_Pictographic}/gu, ''))),
	],
	linesLost: [
		'line breaks are lost',
		draft((one) => (one.text = String(one.text).replace(/\n/g, ' '))),
	],
	textOfTwoThousand: [
		'texts end after 2,000 characters',
		draft((one) => (one.text = String(one.text).slice(0, 2_000))),
	],
	longTextsRefused: [
		'texts of more than 2,000 characters are rejected',
		fails(400, { route: 'posts.create', when: ({ body }) => body.length > 2_500 }),
	],
	notesOf255: [
		'notes end after 255 characters',
		draft((one) => (one.notes = typeof one.notes === 'string' ? one.notes.slice(0, 255) : null)),
	],
	draftWithoutId: ['a new post has no ID', records('posts.create', (one) => delete one.id)],
	draftUnshown: [
		'a new post is answered without a body',
		always(NO_CONTENT, { route: 'posts.create' }),
	],
	createFails: ['creating a post fails', fails(500, { route: 'posts.create' })],
	createLost: [
		'the response to a new post is lost',
		always({ kind: 'reset', after: true }, { route: 'posts.create' }),
	],
	draftsRejected: ['drafts are rejected', fails(400, { route: 'posts.create' })],
	listsLate: [
		'a list shows a new draft only the second time',
		(service) =>
			changed(withoutTrial, {
				route: 'posts.list',
				when: () => service.world.own.posts.toArray().some(isOfTrial),
				count: 1,
			})(service),
	],
	changesFail: ['changing a post fails', fails(500, { route: 'posts.update' })],
	changesLost: [
		'the response to a change is lost',
		always({ kind: 'reset', after: true }, { route: 'posts.update' }),
	],
	changesRejected: ['changes are rejected', fails(400, { route: 'posts.update' })],
	deletionsRefused: ['deletions are refused', fails(403, { route: 'posts.delete' })],
	deletionsLost: [
		'deletions get no response',
		always({ kind: 'reset' }, { route: 'posts.delete' }),
	],
	magnetsFail: ['creating a lead magnet fails', fails(500, { route: 'leadMagnets.create' })],
	magnetsLost: [
		'the response to a new lead magnet is lost',
		always({ kind: 'reset', after: true }, { route: 'leadMagnets.create' }),
	],
	magnetsRejected: ['lead magnets are rejected', fails(400, { route: 'leadMagnets.create' })],
	magnetWithoutId: [
		'a new lead magnet has no ID',
		records('leadMagnets.create', (one) => delete one.id),
	],
	magnetUnshown: [
		'a new lead magnet is answered without a body',
		always(NO_CONTENT, { route: 'leadMagnets.create' }),
	],
	archivedStaysListed: [
		'the list shows archived lead magnets',
		(service) => {
			const before = archivedIn(service).map(({ id }) => id);
			const kept = () => archivedIn(service).filter(({ id }) => !before.includes(id));
			const change = ({ data, ...rest }: JsonObject): JsonObject => ({
				...rest,
				data: [...(Array.isArray(data) ? data : []), ...kept()],
			});
			return changed(change, { route: 'leadMagnets.list', ...asked('limit', '100') })(service);
		},
	],
	archivedStaysReadable: [
		'an archived lead magnet is still found',
		(service) => {
			let found: JsonObject | undefined;
			const change = ({ request_id }: JsonObject): JsonObject => ({
				data: found ?? {},
				request_id: request_id ?? null,
			});
			const when = ({ route, path }: LoggedRequest): boolean => {
				found = archivedIn(service).find(({ id }) => path.endsWith(String(id)));
				return route === 'leadMagnets.get' && found !== undefined;
			};
			return always({ kind: 'change', status: 200, change }, { when })(service);
		},
	],
	uploadsOfOneMegabyte: [
		'uploads may have one megabyte',
		records('media.uploadUrl', (one) => (one.max_file_size = 1_048_576)),
	],
	uploadsOfAnotherType: [
		'an upload is announced as another type',
		records('media.uploadUrl', (one) => (one.content_type = 'image/jpeg')),
	],
	timesOfAnotherZone: [
		'times are two hours late',
		draft((one) => {
			one.created_at = new Date(Date.parse(String(one.created_at)) - 7_200_000).toISOString();
		}),
	],
	uploadsFail: ['asking for an upload fails', fails(500, { route: 'media.uploadUrl' })],
	uploadsLost: [
		'asking for an upload gets no response',
		always({ kind: 'reset' }, { route: 'media.uploadUrl' }),
	],
	uploadsRejected: ['uploads are rejected', fails(400, { route: 'media.uploadUrl' })],
	changesIgnored: [
		'changes are accepted and ignored',
		always(raw({ data: {}, request_id: 'r' }, {}), { route: 'posts.update' }),
	],
	changesShowOld: [
		'the response to a change shows the old text',
		records('posts.update', (one) => (one.text = 'Before')),
	],
	changesRefused: ['changes are refused', fails(403, { route: 'posts.update' })],
	changesWipe: [
		'a change empties what it does not name',
		(service) => {
			let isChanged = false;
			const watching = always(
				{ kind: 'change', change: (envelope) => ((isChanged = true), envelope) },
				{ route: 'posts.update' },
			);
			const wiping = draft((one) => {
				if (isChanged) one.notes = null;
			});
			return combine(watching, wiping)(service);
		},
	],
	nullRejected: [
		'null is rejected',
		fails(400, { route: 'posts.update', when: ({ body }) => body.includes('null') }),
	],
	listsForget: ['lists do not show a new draft', changed(withoutTrial, { route: 'posts.list' })],
	listedNotesCut: [
		'lists cut notes',
		records('posts.list', (one) => {
			if (isOfTrial(one)) one.notes = String(one.notes).slice(0, 100);
		}),
	],
	listedNotesShortened: [
		'lists shorten notes, with a sign of it',
		records('posts.list', (one) => {
			if (isOfTrial(one)) one.notes = `${String(one.notes).slice(0, 100)}…`;
		}),
	],
	listedNotesEmpty: [
		'lists show empty notes',
		records('posts.list', (one) => {
			if (isOfTrial(one)) one.notes = null;
		}),
	],
	deletionsIgnored: ['drafts are not deleted', deleted({ deleted: true }, 'posts.delete')],
	deletionsFail: ['deleting fails', fails(500, { route: 'posts.delete' })],
	archivesIgnored: [
		'lead magnets are not archived',
		deleted({ archived: true }, 'leadMagnets.archive'),
	],
	magnetRenamed: [
		'keywords of lead magnets are capital letters',
		records('leadMagnets.get', (one) => (one.keyword = String(one.keyword).toUpperCase())),
	],
	magnetsForbidden: [
		'the key lacks lead_magnets:write',
		fails(403, { route: 'leadMagnets.create' }),
	],
	uploadsForbidden: ['the key lacks media:write', fails(403, { route: 'media.uploadUrl' })],
	uploadWithoutPath: [
		'an upload has no path',
		records('media.uploadUrl', (one) => delete one.path),
	],
	uploadToHttp: [
		'an upload goes to an address without encryption',
		records('media.uploadUrl', (one) => (one.upload_url = 'http://storage.example/put')),
	],
	noneDeleted: ['a file is deleted zero times', deleted({ deleted: 0 }, 'media.delete')],
	noneDeletedBare: [
		'a file is deleted zero times, without an envelope',
		always(raw({ deleted: 0 }, {}), { route: 'media.delete' }),
	],
	filesStayPublic: ['a deleted file stays public', deleted({ deleted: true }, 'media.delete')],
} satisfies Differences;
