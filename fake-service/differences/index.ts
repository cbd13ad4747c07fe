// Twelve reasons why somebody cannot work with the service, to try Diagnose on. The control page switches
// each of them on.

import { isObject } from '../fields';
import type { JsonObject } from '../types';
import { always, changed, fails, records, setting, type Plant } from './plant';

interface Difference {
	/** What the control page calls it. */
	readonly words: string;
	readonly plant: Plant;
	/** It shows only with the key of an agency. */
	readonly isOfAgency?: true;
}

export const DIFFERENCES = {
	otherUrl: {
		words: 'the Base URL leads to a website',
		plant: always({ kind: 'html', status: 200 }),
	},
	keyRevoked: {
		words: 'the key is revoked',
		plant: fails(401, { when: ({ path }) => path !== '' }),
	},
	clockAhead: {
		words: "the service's clock is ten minutes ahead",
		plant: setting({ dateAheadMs: 600_000 }),
	},
	scopeMissing: {
		words: 'the key lacks posts:read',
		plant: fails(403, { path: /\/posts/ }),
	},
	grantsEnded: {
		words: 'the grant of one client has expired, and the list still shows the client',
		isOfAgency: true,
		plant: (service) =>
			records('clients.list', (client) => {
				if (client.user_id === service.world.clientB.id && isObject(client.grant ?? null))
					(client.grant as JsonObject).status = 'expired';
			})(service),
	},
	clientRefused: {
		words: 'the service denies access to one client',
		isOfAgency: true,
		plant: (service) => fails(403, { clientId: service.world.clientB.id })(service),
	},
	clientPaused: {
		words: 'the account of one client is paused',
		isOfAgency: true,
		plant: (service) =>
			always(
				{ kind: 'error', status: 409, code: 'conflict', reason: 'account_paused' },
				{ clientId: service.world.clientB.id },
			)(service),
	},
	accountsMixed: {
		words: "clients show the agency's own posts",
		isOfAgency: true,
		plant: (service) => {
			const own = service.world.agency.posts.toArray().map((post) => ({ ...post }));
			return changed(
				({ data: _, ...rest }) => ({ ...rest, data: own as unknown as JsonObject[] }),
				{ route: 'posts.list', when: ({ clientId }) => clientId !== null },
			)(service);
		},
	},
	activityFails: {
		words: 'reading activity fails',
		plant: fails(500, { route: 'activity.list' }),
	},
	offsetIgnored: {
		words: 'the offset is ignored',
		plant: (service) => {
			const leads = () => service.world.own.leads.toArray().reverse();
			return changed(
				({ pagination, ...rest }) => ({
					...rest,
					pagination: pagination ?? null,
					data: leads().slice(0, 2) as unknown as JsonObject[],
				}),
				{ route: 'leads.list', when: ({ query }) => query.limit === '2' },
			)(service);
		},
	},
	hasEmailIgnored: {
		words: 'the filter has_email returns leads without an email',
		plant: records(
			'leads.list',
			(lead) => (lead.emails = { submitted: null, work: null, personal: null }),
			{ when: ({ query }) => query.has_email === 'true' },
		),
	},
	notesNotShown: {
		words: 'posts do not show their notes',
		plant: setting({ hiddenPostFields: { list: ['notes'], record: ['notes'] } }),
	},
} as const satisfies Readonly<Record<string, Difference>>;

export type DifferenceName = keyof typeof DIFFERENCES;

export const differenceNames = Object.keys(DIFFERENCES) as DifferenceName[];

export const differenceOf = (name: string): Difference | undefined =>
	Object.hasOwn(DIFFERENCES, name) ? DIFFERENCES[name as DifferenceName] : undefined;
