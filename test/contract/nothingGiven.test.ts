/**
 * An empty value is never an instruction. Every parameter of every operation gets an expression
 * that finds nothing. Either the item fails with an error that names the parameter, and nothing is
 * sent, or the node sends what it would send without the parameter. Only an empty text in "Update
 * Fields" does more: it removes the field.
 */
import type { NodeRun } from '../support/engine';
import { isBelowRecord, isList } from './everyOperation';
import { changed, labelled, prepareAll, type Spot } from './everyParameter';
import { operations } from './forms';
import { type Parameters, setUpKit } from '../support/kit/index';
import { shareOf } from '../support/long';

const kit = setUpKit();
const NOW = Date.now();

interface Outcome {
	error?: string;
	sent: Array<{ method: string; url: string; json: unknown; key: unknown }>;
	/** The output, if two runs read the same records. */
	out: unknown;
}

/** What was sent, without what differs from run to run. */
let runs = 0;
async function outcome(spot: Spot, value?: string): Promise<Outcome> {
	const { parameters, items } = await prepareAll(kit.service, spot.operation);
	kit.service.clearLog();
	// The service remembers keys.
	const ownKey = `mine-${(runs += 1)}`;
	const given = JSON.stringify(changed(parameters, spot, value)).replaceAll(
		'"mine"',
		`"${ownKey}"`,
	);
	const { operation } = operations.find(({ name }) => name === spot.operation) ?? {};
	// Times that begin now begin at the same moment in each run.
	const clock = operation?.kind === 'local' && jest.spyOn(Date, 'now').mockReturnValue(NOW);
	const run: NodeRun = await kit.run(JSON.parse(given) as Parameters, {
		items,
		onError: 'continueErrorOutput',
	});
	if (clock) clock.mockRestore();
	const isRandom = /^post\.(?:create|upsert)$/.test(spot.operation) && spot.field.name === 'seed';
	const plain = (text: string) =>
		text
			.replace(/"scheduled_at":"[^"]*"/g, (time) => (isRandom ? '"scheduled_at":"<random>"' : time))
			.replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(\.png)?/g, '<id>')
			.replace(/mine-\d+/g, 'mine')
			.replace(/\b(?:row-|GUIDE)\d+/g, '<row>')
			.replace(/\bsent=[\w:~-]+/g, 'sent=<digests>')
			.replace(/ \[(?:req_|n8n:)[\w:.-]+\]/g, '');
	// What is looked through before a creation grows with each of them: a list, and posts that it
	// does not show whole, which the process reads once.
	const isLook = ({ method, url }: { method: string; url: string }) =>
		/^post\.(?:create|upsert)$/.test(spot.operation) &&
		method === 'GET' &&
		/offset=[1-9]|[/]posts[/][^/]+$/.test(url);
	const arrived = kit.service.requests.filter((request) => !isLook(request));
	const sent = arrived.map(({ method, url, json, headers }) => ({
		method,
		url: plain(url),
		json: JSON.parse(plain(JSON.stringify(json ?? null))) as unknown,
		key: headers['idempotency-key'] === ownKey ? 'own' : headers['idempotency-key'] !== undefined,
	}));
	// A post that is left would take the slot of the next one.
	for (const { posts } of kit.service.world.accounts.values())
		for (const { id, notes } of posts.toArray())
			if (notes?.includes('[unique-key: ') === true) posts.remove(id);
	const failed = run.outputs[1]?.[0]?.json;
	const error = run.error?.message ?? failed?.error;
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

it('every parameter has a meaningful value', async () => {
	const forgotten: string[] = [];
	for (const [label, { operation, field, group }] of labelled) {
		const { parameters } = await prepareAll(kit.service, operation);
		const holder = (group === undefined ? parameters : parameters[group]) as Parameters | undefined;
		if (holder === undefined || !Object.hasOwn(holder, field.name)) forgotten.push(label);
	}
	const file = 'test/contract/everyParameter.ts';
	expect({ file, forgotten }).toEqual({ file, forgotten: [] });
});

it('no value is given for a parameter that the form does not have', async () => {
	const known = new Set(labelled.map(([label]) => label));
	const collections = new Set(
		labelled.flatMap(([label, { field }]) => (field.type === 'collection' ? label : [])),
	);
	const left: string[] = [];
	for (const { name, values } of operations) {
		const { parameters } = await prepareAll(kit.service, name);
		for (const [parameter, value] of Object.entries(parameters)) {
			const label = `${name} ${parameter}`;
			if (!(parameter in values) && !known.has(label)) left.push(label);
			if (!collections.has(label)) continue;
			const members = Object.keys(value as object).map((member) => `${label}.${member}`);
			left.push(...members.filter((member) => !known.has(member)));
		}
	}
	const file = 'test/contract/everyParameter.ts';
	expect({ file, left }).toEqual({ file, left: [] });
});

it.each(labelled.map(([label, spot], index) => [label, spot, index] as const))(
	'%s',
	async (...[, spot, index]) => {
		const without = await outcome(spot);
		// A parameter that n8n requires cannot be absent. Then an expression gives nothing.
		const isRequired = without.error?.includes('node has issues') === true;
		const absent = isRequired ? await outcome(spot, '={{ undefined }}') : without;
		for (const [what, expression] of shareOf(NOTHING, { nth: NOTHING.length, index })) {
			const given = await outcome(spot, expression);
			const isRefused = isRequired && given.error !== undefined && given.sent.length === 0;
			if (isRefused || given.error !== absent.error || spot.field.name === 'actAs') {
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
	},
);

/**
 * The content of a post, and each field that n8n requires: never left out because something else is
 * there.
 */
const CONTENT = [
	...['text', 'additionalFields.images', 'additionalFields.documentUrl'],
	...['updateFields.text', 'updateFields.images', 'updateFields.documentUrl'],
];
const PUBLISHED = { status: 'scheduled', scheduledAt: '2040-01-01T10:00:00Z' };
const needed = labelled.filter(
	([, { field, group, operation }]) =>
		field.required === true ||
		(operation.startsWith('post.') &&
			CONTENT.includes(group === undefined ? field.name : `${group}.${field.name}`)),
);

it.each(needed)('%s is missing, whatever else would be sent', async (_, spot) => {
	// A row may have no image or document, so an empty one is left out. Only a missing column is an
	// error.
	const isMedia = ['images', 'documentUrl'].includes(spot.field.name);
	for (const [what, expression] of NOTHING.slice(0, isMedia ? 1 : 2)) {
		const { parameters, items } = await prepareAll(kit.service, spot.operation);
		kit.service.clearLog();
		const image = /^post\.(?:create|upsert)$/.test(spot.operation) && spot.field.name === 'text';
		const { images: _images, ...additional } = (parameters.additionalFields ?? {}) as Parameters;
		const given = {
			...parameters,
			// The mode that needs a link.
			...(spot.field.name === 'resourceLink' ? { deliveryMode: 'external_link' } : {}),
			...(spot.operation === 'post.create' ? PUBLISHED : {}),
			...(spot.operation === 'post.update'
				? { updateFields: { notes: 'x', ...PUBLISHED, [spot.field.name]: 'x' } }
				: {}),
			...(image
				? { additionalFields: { ...additional, documentUrl: 'https://x.example/a.pdf' } }
				: {}),
		};
		const run = await kit.run(changed(given as Parameters, spot, expression), {
			items,
			onError: 'continueErrorOutput',
		});
		const failed = run.error?.message ?? run.outputs[1]?.[0]?.json.error;
		const isNamed = ['node has issues', `${spot.field.displayName}"`].some((words) =>
			String(failed).includes(words),
		);
		expect([what, failed, isNamed]).toEqual([what, failed, true]);
		const written = kit.service.requests.filter(({ method }) => method !== 'GET');
		expect([what, written]).toEqual([what, []]);
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
