// Differences in what records show: IDs, values, capabilities, and objects whose names are data.

import type { JsonObject } from '../types';
import {
	capabilities,
	leads,
	magnets,
	post,
	posts,
	raw,
	always,
	records,
	type Differences,
	type Plant,
} from './plant';

const capital = (text: unknown): string =>
	String(text).charAt(0).toUpperCase() + String(text).slice(1);

/** Its name begins with the word of the network. */
const profileField = (lead: JsonObject): string =>
	Object.keys(lead).find((name) => name.endsWith('_profile_url')) ?? '';

const both = (route: string, edit: (record: JsonObject) => void): Plant => {
	const plants = [records(`${route}.list`, edit), records(`${route}.get`, edit)];
	return (service) => {
		const removes = plants.map((plant) => plant(service));
		return () => removes.forEach((remove) => remove());
	};
};

export const RECORDS = {
	postIdsAsWords: [
		'posts have IDs such as post_17',
		posts((one) => (one.id = `post_${String(one.id).slice(0, 4)}`)),
	],
	leadIdsMissing: ['leads have no ID', leads((lead) => delete lead.id)],
	leadsShareAnId: [
		'all leads have one ID',
		leads((lead) => (lead.id = '00000000-0000-4000-8000-000000000000')),
	],
	anotherPost: [
		'a single post is another one',
		post((one) => (one.id = '00000000-0000-4000-8000-000000000000')),
	],
	magnetNotFound: [
		'a listed lead magnet is not found',
		always(raw({ error: { code: 'not_found', message: 'No' }, request_id: 'r' }, { status: 404 }), {
			route: 'leadMagnets.get',
		}),
	],
	statesCapitalised: [
		'states of posts begin with a capital',
		both('posts', (one) => (one.status = capital(one.status))),
	],
	qualifiedCapitalised: [
		'qualification begins with a capital',
		leads((lead) => (lead.qualification_status = capital(lead.qualification_status))),
	],
	analyticsByKeyword: [
		'analytics are counted by keyword',
		always(raw({ data: { GUIDE: 12, PLAYBOOK: 3 }, request_id: 'r' }, {}), {
			route: 'leadMagnets.analytics',
		}),
	],
	analyticsByPerson: [
		'analytics are counted by person',
		always(
			raw({ data: { 'Jane Doe': { views: 1 }, 'John Roe': { views: 2 } }, request_id: 'r' }, {}),
			{
				route: 'leadMagnets.analytics',
			},
		),
	],
	notesNowhere: ['posts show no notes at all', both('posts', (one) => delete one.notes)],
	capabilitiesPartly: [
		'capabilities lack can_delete',
		capabilities(({ can_delete: _, ...given }) => given),
	],
	severalProfiles: [
		'leads have the profiles of two networks',
		leads((lead) => {
			const own = profileField(lead);
			lead.other_profile_url = lead[own] ?? null;
			lead.third_profile_url = lead[own] ?? null;
			delete lead[own];
		}),
	],
	profilePaths: [
		'profiles are paths',
		leads((lead) => (lead[profileField(lead)] = '/in/somebody')),
	],
	emailsAsList: ['emails are a list', leads((lead) => (lead.emails = ['a@example.com']))],
	magnetsArchived: ['lead magnets are Archived', magnets((one) => (one.status = 'Archived'))],
	postWithoutText: ['a single post has no text', post((one) => delete one.text)],
} satisfies Differences;
