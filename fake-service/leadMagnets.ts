// The lead magnet routes of 4.1, by the rules of 2.4.

import { created, ok } from './answer';
import { type Handler, type ListHandler } from './call';
import { badRequest } from './errors';
import {
	checkFields,
	filled,
	isObject,
	link,
	linkOrNull,
	list,
	objectOrNull,
	onlyFields,
	requireFields,
	textOrNull,
} from './fields';
import { pageOf } from './lists';
import { plainLeadMagnet } from './plainRecords';
import { mix, seedOf } from './random';
import { leadMagnetOf, refuseFilled } from './reach';
import { both, type Route } from './route';
import type { JsonObject, LeadMagnet } from './types';

const MODES = ['hosted_content', 'gated_external', 'external_link'];
const FIELDS = {
	delivery_mode: (value: unknown) => MODES.some((mode) => mode === value),
	keyword: textOrNull,
	resource_name: textOrNull,
	resource_link: linkOrNull,
	description: textOrNull,
	text_template: textOrNull,
	linked_posts: list,
	hosted_page: objectOrNull,
	cta_label: textOrNull,
	cta_url: linkOrNull,
};
/** The document does not show what a page is made of. */
const PAGE_CONTENT = ['content', 'markdown', 'content_markdown', 'body'];
const BLANK: Partial<LeadMagnet> = {
	keyword: null,
	resource_name: null,
	resource_link: null,
	text_template: null,
};

const listLeadMagnets: ListHandler = ({ subject, orders }, window) =>
	pageOf(window, {
		...{ list: subject.leadMagnets, order: orders.leadMagnets },
		filter: { name: 'active', keeps: (magnet) => magnet.status === 'active' },
		show,
	});

const createLeadMagnet: Handler = ({ body, subject, world }) => {
	checkBody(body);
	requireFields(body, ['delivery_mode']);
	const given = { ...BLANK, ...(body as Partial<LeadMagnet>) };
	const magnet = plainLeadMagnet(world, given);
	checkWhole(magnet);
	subject.leadMagnets.add(magnet);
	return created(show(magnet));
};

const getLeadMagnet: Handler = (call) => ok(show(leadMagnetOf(call)));

const updateLeadMagnet: Handler = (call) => {
	const { body, subject, world } = call;
	const magnet = leadMagnetOf(call);
	checkBody(body);
	if (!Object.keys(body).length) throw badRequest('Nothing to update');
	const change = body as Partial<LeadMagnet>;
	checkWhole({ ...magnet, ...change });
	const updated_at = world.clock.iso();
	return ok(show(subject.leadMagnets.patch(magnet.id, { ...change, updated_at })));
};

const archiveLeadMagnet: Handler = (call) => {
	const magnet = leadMagnetOf(call);
	refuseFilled(call.body);
	const change = { status: 'archived' as const, updated_at: call.world.clock.iso() };
	call.subject.leadMagnets.patch(magnet.id, change);
	return ok({ id: magnet.id, archived: true });
};

const leadMagnetAnalytics: Handler = (call) => {
	const { id } = leadMagnetOf(call);
	const count = (what: string, upTo: number) => mix(seedOf(id + what), 1) % upTo;
	return ok({
		lead_magnet_id: id,
		triggers: count('triggers', 900),
		deliveries: count('deliveries', 700),
		page_views: count('views', 600),
		leads: count('leads', 300),
		conversion_rate: count('rate', 1000) / 1000,
	});
};

function show(magnet: LeadMagnet): JsonObject {
	return { ...magnet };
}

function checkBody(body: JsonObject): void {
	onlyFields(body, Object.keys(FIELDS));
	checkFields(body, FIELDS);
	if ('cta_label' in body !== 'cta_url' in body) {
		throw badRequest('cta_label and cta_url are given together or not at all');
	}
}

function checkWhole(magnet: LeadMagnet): void {
	if (filled(magnet.cta_label) !== filled(magnet.cta_url)) {
		throw badRequest('cta_label and cta_url are given together or not at all');
	}
	if (magnet.delivery_mode === 'external_link') {
		if (!link(magnet.resource_link)) throw badRequest('resource_link must be a valid URL');
		return;
	}
	if (!isObject(magnet.hosted_page)) throw badRequest('hosted_page is required');
	const page = magnet.hosted_page;
	if (page.published !== true) return;
	const hasContent = PAGE_CONTENT.some((name) => filled(page[name] ?? null));
	if (magnet.delivery_mode === 'hosted_content' && !hasContent) {
		throw badRequest('A published page needs content');
	}
	if (magnet.delivery_mode === 'gated_external' && !link(magnet.resource_link)) {
		throw badRequest('A published gated page needs a valid external resource URL');
	}
}

export const LEAD_MAGNET_ROUTES: readonly Route[] = [
	both('leadMagnets.list', 'GET /lead-magnets', 'lead_magnets:read', { list: listLeadMagnets }),
	both('leadMagnets.create', 'POST /lead-magnets', 'lead_magnets:write', {
		body: 'required',
		handler: createLeadMagnet,
	}),
	both('leadMagnets.get', 'GET /lead-magnets/{id}', 'lead_magnets:read', {
		handler: getLeadMagnet,
	}),
	both('leadMagnets.update', 'PATCH /lead-magnets/{id}', 'lead_magnets:write', {
		body: 'required',
		handler: updateLeadMagnet,
	}),
	both('leadMagnets.archive', 'DELETE /lead-magnets/{id}', 'lead_magnets:write', {
		body: 'optional',
		handler: archiveLeadMagnet,
	}),
	both('leadMagnets.analytics', 'GET /lead-magnets/{id}/analytics', 'analytics:read', {
		handler: leadMagnetAnalytics,
	}),
];
