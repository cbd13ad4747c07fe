// Differences in how lists are read: pages, places, ends, orders, filters and times.

import type { Match } from '../faults';
import { isObject } from '../fields';
import type { LoggedRequest } from '../log';
import type { Json, JsonObject } from '../types';
import {
	always,
	asked,
	changed,
	fails,
	leads,
	records,
	type Differences,
	type Plant,
} from './plant';

interface Pagination {
	limit: number;
	offset: number;
	has_more: boolean;
}

const LEADS: Match = { route: 'leads.list' };
const ALL: Match = { path: /(posts|lead-magnets|leads|activity|clients)$/ };

/** Changes the records and the pagination of a page. */
const page = (
	edit: (data: Json[], pagination: Pagination) => { data: Json[]; pagination: Pagination },
	match: Match,
): Plant =>
	changed((envelope) => {
		const { data, pagination, ...rest } = envelope;
		if (!Array.isArray(data) || !isObject(pagination ?? null)) return envelope;
		const edited = edit(data, pagination as unknown as Pagination);
		return { ...rest, data: edited.data, pagination: { ...edited.pagination } };
	}, match);

const paged = (edit: (pagination: Pagination) => Partial<Pagination>, match = ALL): Plant =>
	page((data, pagination) => ({ data, pagination: { ...pagination, ...edit(pagination) } }), match);

/** The leads of the own account as a service would give them that reads pages in its own way. */
const served =
	(
		serve: (
			all: Json[],
			window: { limit: number; offset: number },
		) => { data: Json[]; pagination: Pagination },
	): Plant =>
	(service) => {
		const all = service.world.own.leads.toArray().reverse() as unknown as Json[];
		let window = { limit: 100, offset: 0 };
		const when = ({ query, route }: LoggedRequest): boolean => {
			window = { limit: Number(query.limit ?? 50), offset: Number(query.offset ?? 0) };
			return route === 'leads.list' && window.limit <= 100 && query.has_email === undefined;
		};
		return changed(
			(envelope) => ({ ...envelope, ...serve(all, window) }) as unknown as JsonObject,
			{
				when,
			},
		)(service);
	};

const plainly = (all: Json[], { limit, offset }: { limit: number; offset: number }) => ({
	data: all.slice(offset, offset + limit),
	pagination: { limit, offset, has_more: offset + limit < all.length },
});

const filtered = (name: string, route: string, edit: (data: Json[]) => Json[]): Plant =>
	page((data, pagination) => ({ data: edit(data), pagination }), {
		route,
		when: ({ query }) => query[name] !== undefined && query[name] !== 'n8n-diagnosis',
	});

const timed = (edit: (iso: string) => Json): Plant =>
	leads((lead) => {
		lead.created_at = edit(String(lead.created_at));
		lead.updated_at = edit(String(lead.updated_at));
	});

export const LISTS = {
	moreNever: ['has_more is always false', paged(() => ({ has_more: false }))],
	moreAlways: ['has_more is always true', paged(() => ({ has_more: true }))],
	moreAsText: [
		'has_more is a text',
		paged(({ has_more }) => ({ has_more: String(has_more) as unknown as boolean }), LEADS),
	],
	fivesThatClaim: [
		'pages of five say that they hold a hundred',
		served((all, { limit, offset }) => ({
			data: all.slice(offset, offset + Math.min(limit, 5)),
			pagination: { limit, offset, has_more: offset + 5 < all.length },
		})),
	],
	oneTooFew: [
		'pages of ten hold nine',
		served((all, { limit, offset }) => ({
			data: all.slice(offset, offset + Math.min(limit, 10)).slice(0, 9),
			pagination: { limit: Math.min(limit, 10), offset, has_more: offset + 10 < all.length },
		})),
	],
	oneTooFewAlways: [
		'every page lacks its last record',
		served((all, { limit, offset }) => ({
			data: all.slice(offset, offset + limit - 1),
			pagination: { limit, offset, has_more: offset + limit < all.length },
		})),
	],
	fiveOfLeads: [
		'leads come in fives, and say so',
		served((all, { limit, offset }) => plainly(all, { limit: Math.min(limit, 5), offset })),
	],
	hiddenRecords: [
		'a page leaves deleted records out',
		served((all, { limit, offset }) => {
			const { pagination } = plainly(all, { limit: Math.min(limit, 10), offset });
			const data = all.slice(offset, offset + Math.min(limit, 10));
			return { data: data.filter((_, at) => limit < 10 || at !== 3), pagination };
		}),
	],
	highOffsetsRefused: [
		'offsets above 1,000 are refused',
		fails(400, { when: ({ query }) => Number(query.offset) > 5_000 }),
	],
	offsetsInPages: [
		'the offset counts pages',
		served((all, { limit, offset }) => ({
			...plainly(all, { limit, offset: offset * limit }),
			pagination: { limit, offset, has_more: (offset + 1) * limit < all.length },
		})),
	],
	offsetFromOne: [
		'the offset counts from one',
		served((all, { limit, offset }) => ({
			...plainly(all, { limit, offset: Math.max(0, offset - 1) }),
			pagination: { limit, offset, has_more: offset - 1 + limit < all.length },
		})),
	],
	offsetIgnoredEverywhere: [
		'every page is the first one',
		served((all, { limit, offset }) => ({
			...plainly(all, { limit, offset: 0 }),
			pagination: { limit, offset, has_more: limit < all.length },
		})),
	],
	ordersChange: [
		'each request has an order of its own',
		served((all, { limit, offset }) =>
			plainly(offset === 0 ? all : [...all.slice(6), ...all.slice(0, 6)], { limit, offset }),
		),
	],
	limitsIgnored: [
		'the limit is ignored',
		served((all, { limit, offset }) => ({
			data: all.slice(offset),
			pagination: { limit, offset, has_more: false },
		})),
	],
	secondPageFails: ['the second page fails', fails(500, { ...LEADS, ...asked('offset', '1') })],
	postsUnsorted: [
		'activity comes by its text',
		page(
			(data, pagination) => ({
				data: [...data].sort((one, other) =>
					JSON.stringify(one) < JSON.stringify(other) ? -1 : 1,
				),
				pagination,
			}),
			{ route: 'activity.list' },
		),
	],
	emailGivesNothing: ['has_email gives nothing', filtered('has_email', 'leads.list', () => [])],
	emailGivesPart: [
		'has_email leaves some out',
		filtered('has_email', 'leads.list', (data) => data.slice(0, 1)),
	],
	emailRefused: [
		'has_email is rejected',
		always(
			{ kind: 'error', status: 400, message: 'Unknown filter has_email' },
			{ ...LEADS, when: ({ query }) => query.has_email !== undefined },
		),
	],
	sourceGivesNothing: ['source gives nothing', filtered('source', 'activity.list', () => [])],
	sourceGivesPart: [
		'source leaves some out',
		filtered('source', 'activity.list', (data) => data.slice(0, 1)),
	],
	epochTimes: ['times are numbers of seconds', timed((iso) => Math.round(Date.parse(iso) / 1_000))],
	epochTexts: ['times are numbers of ms as texts', timed((iso) => String(Date.parse(iso)))],
	timesWithoutZone: ['times have no zone', timed((iso) => iso.replace('Z', ''))],
	otherTimes: ['times are written for mail', timed((iso) => new Date(iso).toUTCString())],
	timesOfTomorrow: [
		'leads were created tomorrow',
		timed((iso) => new Date(Date.parse(iso) + 86_400_000).toISOString()),
	],
	otherTimeNames: [
		'the creation time of leads has another name',
		leads((one) => {
			one.added_at = one.created_at ?? null;
			delete one.created_at;
			delete one.updated_at;
		}),
	],
	noActivityTimes: [
		'activity has no times',
		records('activity.list', (one) => {
			delete one.created_at;
			delete one.updated_at;
		}),
	],
} satisfies Differences;
