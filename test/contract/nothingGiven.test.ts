/**
 * Nothing given is nothing, never an order. Every parameter of every operation, as the node itself
 * describes them, is given an expression that finds nothing. Either the item fails with an error
 * that names the parameter, and nothing is sent; or what is sent is what would be sent without the
 * parameter. Only an empty text in "Update Fields" may do more: it removes the field.
 */
import type { INodeProperties } from 'n8n-workflow';

import { isAgency } from '../../nodes/LeadGenPublishing/operations/describe';
import { accountFields } from '../../nodes/LeadGenPublishing/fields/account';
import { RESOURCES } from '../../nodes/LeadGenPublishing/operations/index';
import type { NodeRun } from '../support/engine';
import { isBelowRecord, isList, operationNames, prepare, type Prepared } from './everyOperation';
import { byId, HOUR, inMs, type Parameters, setUpKit } from '../support/kit/index';

const kit = setUpKit();

/** Values that say something, for what `everyOperation` leaves out. */
const IN_A_DAY = inMs(24 * HOUR);
const WHOLE = { options: { onIncompleteList: 'fail' } };
const PAGE = { title: 'A page', content: '# A page' };
const FURTHER: Readonly<Record<string, Parameters>> = {
	'activity.getAll': { ...WHOLE, filters: { source: 'comment' } },
	'client.getAll': { ...WHOLE, customFields: '{}' },
	'lead.getAll': { ...WHOLE, filters: { hasEmail: true } },
	'leadMagnet.create': {
		options: { ifExists: 'create' },
		deliveryMode: 'gated_external',
		hostedPage: PAGE,
		additionalFields: {
			ctaLabel: 'Go',
			ctaUrl: 'https://example.com',
			description: 'About it',
			linkedPosts: 'a, b',
			textTemplate: 'Here: [[resource_link]]',
		},
	},
	'leadMagnet.getAll': WHOLE,
	'leadMagnet.update': {
		updateFields: {
			ctaLabel: 'Go',
			ctaUrl: 'https://example.com',
			deliveryMode: 'gated_external',
			description: 'About it',
			hostedPage: PAGE,
			keyword: 'OTHER',
			linkedPosts: 'a, b',
			resourceLink: 'https://example.com/other',
			resourceName: 'Another guide',
			textTemplate: 'Here: [[resource_link]]',
		},
	},
	'media.upload': { options: { contentType: 'image/png', fileName: 'b.png' } },
	'networkOrganization.refresh': { body: '{}' },
	'post.create': {
		status: 'scheduled',
		scheduledAt: IN_A_DAY,
		additionalFields: {
			documentType: 'image',
			documentUrl: '',
			followups: '[{"text": "And?"}]',
			images: 'https://x/a.png',
			notes: 'A note',
			templateId: 'te',
			themeId: 'th',
		},
		options: { ifExists: 'fail', onTeamBoostConflict: 'fail', uniqueKey: 'mine' },
	},
	'post.getAll': WHOLE,
	'post.delete': { confirmPublished: true, options: { idempotencyKey: 'mine' } },
	'post.startFastResponse': { options: { idempotencyKey: 'mine', uniqueKey: 'mine' } },
	'post.update': {
		updateFields: {
			documentType: 'image',
			documentUrl: '',
			followups: '[{"text": "And?"}]',
			images: 'https://x/a.png',
			notes: 'A note',
			scheduledAt: IN_A_DAY,
			status: 'scheduled',
			templateId: 'te',
			text: 'Another text',
			themeId: 'th',
		},
		options: {
			currentStatus: 'read',
			etag: 'pv_1',
			idempotencyKey: 'mine',
			onStaleVersion: 'fail',
			onTeamBoostConflict: 'fail',
		},
	},
	'schedule.spread': {
		start: '2090-01-02T09:00:00Z',
		workingDays: ['monday'],
		fromTime: '10:00',
		toTime: '11:00',
		timeZone: 'Europe/Berlin',
		minimumGapMinutes: 7,
		outputField: 'due_at',
		options: { seed: 'a' },
	},
	'socialAction.create': {
		options: { dueTimeField: 'kind', idempotencyKey: 'mine', uniqueKey: 'mine' },
	},
};

/** What may not stand beside a parameter while it is looked at. */
const ALONE: Readonly<Record<string, readonly string[]>> = {
	documentUrl: ['images'],
	uniqueKey: ['idempotencyKey', 'ifExists'],
};

interface Spot {
	operation: string;
	field: INodeProperties;
	group?: string;
}

const operations = RESOURCES.flatMap(({ value, operations: those }) =>
	those.map((operation) => ({ name: `${value}.${operation.value}`, operation })),
);
const spots: Spot[] = operations.flatMap(({ name, operation }) =>
	[...(isAgency(operation) ? accountFields : []), ...operation.fields].flatMap((field) => [
		{ operation: name, field },
		...(field.type === 'collection' ? (field.options ?? []) : []).map((member) => ({
			operation: name,
			field: member as INodeProperties,
			group: field.name,
		})),
	]),
);

async function prepared(name: string): Promise<Prepared> {
	const [resource, operation] = name.split('.');
	const known = operationNames.find((one) => one === name);
	const isClients = RESOURCES.flatMap(({ value, operations: those }) =>
		those.filter((one) => isAgency(one)).map((one) => `${value}.${one.value}`),
	).includes(name);
	const base: Prepared =
		known === undefined
			? { parameters: { resource, operation }, path: '' }
			: await prepare(kit.service, known, { agency: isClients });
	const more = FURTHER[name] ?? {};
	const { operation: found } = operations.find((one) => one.name === name) ?? {};
	const has = (field: string) => found?.fields.some((one) => one.name === field) === true;
	const isWrite = found?.kind === 'write';
	const options = { ...(found?.kind === 'local' ? {} : { maxWaitSeconds: 5 }) };
	return {
		...base,
		parameters: {
			...base.parameters,
			...(has('simplify') ? { simplify: false } : {}),
			...(has('returnAll') ? { returnAll: false } : {}),
			...(has('customFields') ? { customFields: '{}' } : {}),
			...more,
			...(has('options')
				? {
						options: {
							...options,
							...(more.options as object),
							...(isWrite ? { dryRun: false } : {}),
						},
					}
				: {}),
		},
	};
}

/** An idempotency key of the user excludes a unique key. */
function apart(parameters: Parameters, looked: string): Parameters {
	const { uniqueKey, ...options } = (parameters.options ?? {}) as Parameters;
	const isExcluded = 'idempotencyKey' in options && looked !== 'uniqueKey';
	return isExcluded && uniqueKey !== undefined ? { ...parameters, options } : parameters;
}

/** The parameters with another value in this place; without it for `undefined`. */
function changed(parameters: Parameters, { field, group }: Spot, value?: string): Parameters {
	const put = (record: Parameters, name: string, given: unknown): Parameters => {
		const { [name]: _old, ...rest } = record;
		return given === undefined ? rest : { ...rest, [name]: given };
	};
	const isLocator = field.type === 'resourceLocator';
	const given = value !== undefined && isLocator ? byId(value) : value;
	if (group === undefined) return apart(put(parameters, field.name, given), field.name);
	const alone = Object.fromEntries(
		Object.entries((parameters[group] ?? {}) as Parameters).filter(
			([name]) => !(ALONE[field.name] ?? []).includes(name),
		),
	);
	return apart({ ...parameters, [group]: put(alone, field.name, given) }, field.name);
}

interface Outcome {
	error?: string;
	sent: Array<{ method: string; url: string; json: unknown; key: unknown }>;
	/** What came out, where two runs read the same records. */
	out: unknown;
}

/** What was sent, without what differs from run to run. */
let runs = 0;
async function outcome(spot: Spot, value?: string): Promise<Outcome> {
	const { parameters, items } = await prepared(spot.operation);
	kit.service.clearLog();
	// The service remembers keys.
	const ownKey = `mine-${(runs += 1)}`;
	const given = JSON.stringify(changed(parameters, spot, value)).replaceAll(
		'"mine"',
		`"${ownKey}"`,
	);
	const run: NodeRun = await kit.run(JSON.parse(given) as Parameters, {
		items,
		onError: 'continueErrorOutput',
	});
	const plain = (text: string) =>
		text
			.replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(\.png)?/g, '<id>')
			.replace(/mine-\d+/g, 'mine')
			.replace(/ \[(?:req_|n8n:)[\w:.-]+\]/g, '');
	// The list that is looked through before a creation grows with each of them.
	const isFurtherPage = ({ url }: { url: string }) =>
		spot.operation === 'post.create' && /offset=[1-9]/.test(url);
	const arrived = kit.service.requests.filter((request) => !isFurtherPage(request));
	const sent = arrived.map(({ method, url, json, headers }) => ({
		method,
		url: plain(url),
		json: JSON.parse(plain(JSON.stringify(json ?? null))) as unknown,
		key: headers['idempotency-key'] === ownKey ? 'own' : headers['idempotency-key'] !== undefined,
	}));
	const failed = run.outputs[1]?.[0]?.json;
	const error = run.error?.message ?? failed?.error;
	const { operation } = operations.find(({ name }) => name === spot.operation) ?? {};
	// Without a seed, times are random.
	const isRepeatable = !['options', 'seed'].includes(spot.field.name);
	return {
		sent,
		error: error === undefined ? undefined : plain(String(error)),
		out:
			(isList(spot.operation) && !isBelowRecord(spot.operation)) ||
			(operation?.kind === 'local' && isRepeatable)
				? run.outputs[0]?.map(({ json }) => json)
				: undefined,
	};
}

const NOTHING: ReadonlyArray<[string, string]> = [
	['undefined', '={{ undefined }}'],
	['null', '={{ null }}'],
	['empty text', '={{ "" }}'],
	['blanks', '={{ "   " }}'],
	['no number', '={{ NaN }}'],
];

const labelled = spots.map((spot): [string, Spot] => [
	`${spot.operation} ${spot.group === undefined ? '' : `${spot.group}.`}${spot.field.name}`,
	spot,
]);

it('every parameter has a value that says something', async () => {
	for (const [label, spot] of labelled) {
		const { parameters } = await prepared(spot.operation);
		const holder = (spot.group === undefined ? parameters : parameters[spot.group]) as Parameters;
		expect([label, Object.keys(holder)]).toEqual([
			label,
			expect.arrayContaining([spot.field.name]),
		]);
	}
});

it.each(labelled)('%s', async (_, spot) => {
	const absent = await outcome(spot);
	for (const [what, expression] of NOTHING) {
		const given = await outcome(spot, expression);
		if (given.error !== absent.error || spot.field.name === 'actAs') {
			expect([what, given.error]).toEqual([
				what,
				expect.stringContaining(`${spot.field.displayName}"`),
			]);
			const written = given.sent.filter(({ method }) => method !== 'GET');
			expect([what, written]).toEqual([what, []]);
		} else if (what === 'empty text' && spot.group === 'updateFields') {
			expect(withoutEmptied(given.sent)).toEqual(withoutEmptied(absent.sent));
		} else {
			expect([what, given.sent, given.out]).toEqual([what, absent.sent, absent.out]);
		}
	}
});

/** Requests without the fields that are emptied. */
const withoutEmptied = (sent: Outcome['sent']): unknown =>
	sent.map((request) => ({
		...request,
		json: Object.entries(request.json ?? {}).filter(
			([, value]) => value !== null && !(Array.isArray(value) && value.length === 0),
		),
	}));
