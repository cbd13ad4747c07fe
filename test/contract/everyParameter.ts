/**
 * Every parameter of every operation, as the node itself describes them, with a meaningful value.
 */
import type { INodeProperties } from 'n8n-workflow';

import { accountFields } from '../../nodes/LeadGenPublishing/panel/fields/account';
import { isAgency } from '../../nodes/LeadGenPublishing/operations/index';
import type { FakeService } from '../../fake-service/index';
import { byId, HOUR, inMs, type Parameters } from '../support/kit/values';
import { operationNames, prepare, type Prepared } from './everyOperation';
import { isForPerson, membersOf, operations } from './forms';

/** Meaningful values for parameters that `everyOperation` leaves out. */
const IN_A_DAY = inMs(24 * HOUR);
const PAGE = { title: 'A page', content: '# A page' };
/** Options of all operations that offer them. */
const SHARED_OPTIONS: Parameters = { customFields: '{}', onIncompleteList: 'fail' };
const HOURS = { workingDays: ['monday'], fromTime: '10:00', toTime: '11:00' };
const CTA = { values: { ctaLabel: 'Go', ctaUrl: 'https://example.com' } };
const OF_MAGNET = {
	...{ cta: CTA, description: 'About it', linkedPosts: ['a', 'b'] },
	textTemplate: 'Here: [[resource_link]]',
};
const OF_POST = {
	...{ documentType: 'image', documentUrl: '', images: ['https://x/a.png'] },
	...{ followups: '[{"text": "And?"}]', notes: 'A note', templateId: 'te', themeId: 'th' },
};
/** Those of a free slot: they only count if the status asks for one. */
const OF_SLOT = {
	...{ planBy: 'slots', slots: 'Monday 09:00', ...HOURS },
	...{ timeZone: 'Europe/Berlin', minimumGapMinutes: 7 },
};
const SLOT_OPTIONS = { randomMinutes: 5, seed: 'a', start: '2090-01-02T09:00:00Z' };
const FURTHER: Readonly<Record<string, Parameters>> = {
	'account.diagnose': {
		...{ output: 'checks', show: 'all' },
		options: { clientId: '6f1c2f0e-7d4b-4a53-9d53-0c1f0a6c1b11' },
	},
	'activity.getAll': {
		filters: { keyword: 'guide', search: 'a', source: 'comment', status: 'matched' },
	},
	'lead.getAll': {
		filters: {
			...{ createdAfter: '2020-01-01T00:00:00Z', hasEmail: true, keyword: 'guide' },
			...{ onlyWithIntent: true, qualificationStatus: 'qualified', search: 'a' },
		},
	},
	'leadMagnet.getAll': { filters: { keyword: 'guide', search: 'outreach' } },
	'leadMagnet.create': {
		...{ deliveryMode: 'gated_external', hostedPage: PAGE, additionalFields: OF_MAGNET },
		options: { ifExists: 'create' },
	},
	'leadMagnet.upsert': {
		...{ deliveryMode: 'gated_external', hostedPage: PAGE, additionalFields: OF_MAGNET },
	},
	'leadMagnet.update': {
		updateFields: {
			...{ ...OF_MAGNET, deliveryMode: 'gated_external', hostedPage: PAGE, keyword: 'OTHER' },
			...{ resourceLink: 'https://example.com/other', resourceName: 'Another guide' },
		},
	},
	'media.upload': {
		...{ source: 'binary', fileUrl: 'https://10.0.0.1/a.png' },
		options: { contentType: 'image/png', fileName: 'b.png' },
	},
	'networkOrganization.refresh': { body: '{}' },
	'post.create': {
		...{ status: 'scheduled', scheduledAt: IN_A_DAY, ...OF_SLOT },
		// Files replace images.
		additionalFields: { ...OF_POST, attachments: {} },
		options: {
			...SLOT_OPTIONS,
			...{ dueTimeField: 'due_at', ifExists: 'fail', onTeamBoostConflict: 'fail' },
			uniqueKey: 'mine',
			...{ ifSimilarExists: 'ignore', similarDays: 7 },
		},
	},
	'post.upsert': {
		...{ status: 'scheduled', scheduledAt: IN_A_DAY, ...OF_SLOT },
		additionalFields: { ...OF_POST, attachments: {} },
		options: {
			...SLOT_OPTIONS,
			dueTimeField: 'due_at',
			...{ onStaleVersion: 'fail', onTeamBoostConflict: 'fail' },
		},
	},
	'post.delete': { confirmPublished: true, options: { idempotencyKey: 'mine' } },
	'post.getAll': {
		filters: {
			...{ scheduledAfter: '2020-01-01T00:00:00Z', scheduledBefore: '2090-01-01T00:00:00Z' },
			...{ search: 'p', statuses: ['scheduled', 'draft'] },
		},
	},
	'post.startFastResponse': { duration: 30, interval: 5, options: { uniqueKey: 'mine' } },
	'post.update': {
		updateFields: {
			...{ ...OF_POST, status: 'scheduled', scheduledAt: IN_A_DAY, text: 'Another text' },
		},
		options: {
			...{ currentStatus: 'read', dueTimeField: 'due_at', etag: 'pv_1' },
			idempotencyKey: 'mine',
			...{ onStaleVersion: 'fail', onTeamBoostConflict: 'fail' },
		},
	},
	'schedule.nextFreeSlot': {
		...OF_SLOT,
		options: { outputField: 'due_at', ...SLOT_OPTIONS },
	},
	'schedule.spread': {
		...{ start: '2090-01-02T09:00:00Z', ...HOURS, timeZone: 'Europe/Berlin' },
		options: { minimumGapMinutes: 7, outputField: 'due_at', seed: 'a' },
	},
	'socialAction.create': { options: { dueTimeField: 'kind', uniqueKey: 'mine' } },
};

/** Parameters that must be absent while this one is tested. */
const ALONE: Readonly<Record<string, readonly string[]>> = {
	documentUrl: ['images'],
	uniqueKey: ['ifExists'],
};

/** Parameters that this one needs to have an effect. */
const NEEDED: Readonly<Record<string, Parameters>> = {
	'media.upload fileUrl': { source: 'url' },
	'media.upload binaryPropertyName': { source: 'binary' },
	...Object.fromEntries(
		Object.keys(HOURS).map((name) => [`schedule.nextFreeSlot ${name}`, { planBy: 'hours' }]),
	),
	...Object.fromEntries(
		[...Object.keys(OF_SLOT), ...Object.keys(SLOT_OPTIONS)].flatMap((name) =>
			['post.create', 'post.upsert'].map((operation) => [
				`${operation} ${name}`,
				{ status: 'nextFreeSlot', ...(name in HOURS ? { planBy: 'hours' } : {}) },
			]),
		),
	),
};

/** A parameter of an operation, perhaps within a collection. */
export interface Spot {
	operation: string;
	field: INodeProperties;
	group?: string;
}

const spots: Spot[] = operations.flatMap(({ name, operation }) =>
	[...(isAgency(operation) ? accountFields : []), ...operation.fields]
		.filter(isForPerson)
		.flatMap((field) => [
			{ operation: name, field },
			...membersOf(field)
				.filter(isForPerson)
				.map((member) => ({ operation: name, field: member, group: field.name })),
		]),
);

/** Parameters with which the operation succeeds, and a value for every further one. */
export async function prepareAll(service: FakeService, name: string): Promise<Prepared> {
	const { operation, values } = operations.find((one) => one.name === name) ?? {};
	if (operation === undefined) throw new Error(`There is no ${name}`);
	const known = operationNames.find((one) => one === name);
	const base: Prepared =
		known === undefined
			? { parameters: { ...values }, path: '' }
			: await prepare(service, known, { agency: isAgency(operation) });
	const more = FURTHER[name] ?? {};
	const shown = operation.fields.filter(isForPerson);
	const has = (field: string) => shown.some((one) => one.name === field);
	const offered = new Set(shown.flatMap(membersOf).map((one) => one.name));
	const options = {
		...(operation.kind === 'local' ? {} : { maxWaitSeconds: 5 }),
		...Object.fromEntries(Object.entries(SHARED_OPTIONS).filter(([option]) => offered.has(option))),
		...(base.parameters.options as object),
		...(more.options as object),
		...(operation.kind === 'write' ? { dryRun: false } : {}),
	};
	return {
		...base,
		parameters: {
			...base.parameters,
			...(has('simplify') ? { simplify: false } : {}),
			...(has('returnAll') ? { returnAll: false } : {}),
			...more,
			...(has('options') ? { options } : {}),
		},
	};
}

/** The parameters with another value in this place; without it for `undefined`. */
export function changed(
	parameters: Parameters,
	{ operation, field, group }: Spot,
	value?: unknown,
): Parameters {
	const put = (record: Parameters, name: string, given: unknown): Parameters => {
		const { [name]: _old, ...rest } = record;
		return given === undefined ? rest : { ...rest, [name]: given };
	};
	const isLocator = field.type === 'resourceLocator';
	const given = value !== undefined && isLocator ? { ...byId(''), value } : value;
	const needed = NEEDED[`${operation} ${field.name}`];
	const whole = { ...parameters, ...needed };
	if (group === undefined) return put(whole, field.name, given);
	const alone = Object.fromEntries(
		Object.entries((parameters[group] ?? {}) as Parameters).filter(
			([name]) => !(ALONE[field.name] ?? []).includes(name),
		),
	);
	return { ...whole, [group]: put(alone, field.name, given) };
}

/** With names for tests. */
export const labelled = spots.map((spot): [string, Spot] => [
	`${spot.operation} ${spot.group === undefined ? '' : `${spot.group}.`}${spot.field.name}`,
	spot,
]);
