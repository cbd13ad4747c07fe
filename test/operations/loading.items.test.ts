/** What operations make once, while they are loaded, as their items notice it: loaded anew each time. */
import type * as Failures from '../../nodes/LeadGenPublishing/api/failure';
import type { JsonRecord } from '../../nodes/LeadGenPublishing/api/schemas';
import type { Operation, PlanContext } from '../../nodes/LeadGenPublishing/operations/define';
import { Values } from '../../nodes/LeadGenPublishing/parameters/values';
import { loadAnew } from '../support/loadAnew';
import { ID, itemScene, NOW, type Scene } from './itemScene';

type Named = Readonly<Record<string, Operation>>;

/** An operation of this file, and the failures that it knows. */
function load(file: string, name = file.split('/').at(-1) ?? '') {
	const [operations, { ApiFailure }] = loadAnew((module) => [
		module<Named>(`nodes/LeadGenPublishing/operations/${file}`),
		module<typeof Failures>('nodes/LeadGenPublishing/api/failure'),
	]);
	const operation = operations[name];
	if (operation === undefined) throw new Error(`${file} has no ${name}`);
	const lost = new ApiFailure({
		...{ kind: 'answered', endpoint: 'post.update', agency: false, status: 502 },
		...{ retryable: false, attempts: 1, uncertain: true },
	});
	return { operation, lost };
}

describe('a list', () => {
	it.each(['offset', 'page', 'page_size', 'cursor'])('sets %s itself', async (name) => {
		const { call, sent } = itemScene({ limit: 1, options: { customFields: { [name]: 1 } } });
		const { operation } = load('lead/getAll');
		await expect(operation.run(call)).rejects.toThrow(`may not set "${name}"`);
		expect(sent).toEqual([]);
	});

	it.each([
		['activity', 'activity records'],
		['client', 'clients'],
		['lead', 'leads'],
		['leadMagnet', 'lead magnets'],
		['post', 'posts'],
	])('of %s that is empty is one of %s', async (resource, what) => {
		const { call, said } = itemScene({ limit: 1 });
		await load(`${resource}/getAll`).operation.run(call);
		expect(said.join()).toMatch(new RegExp(`^No ${what} found\\.`));
	});
});

it('a lead magnet has the fields of its delivery mode', async () => {
	const { operation } = load('leadMagnet/create');
	const given = {
		...{ keyword: 'A', resourceName: 'B', resourceLink: 'https://x.example/a' },
		...{ hostedPage: { title: 'C', content: 'D' }, additionalFields: {}, options: {} },
	};
	const fieldsOf = async (deliveryMode: string) => {
		const answers: Scene['answers'] = { 'leadMagnet.create': [{ id: 'new' }] };
		const { call, sent } = itemScene({ ...given, deliveryMode }, { answers });
		await operation.run(call);
		const fields = Object.keys(sent[0]?.body ?? {});
		return ['resource_link', 'hosted_page'].filter((field) => fields.includes(field));
	};
	expect(await fieldsOf('external_link')).toEqual(['resource_link']);
	expect(await fieldsOf('gated_external')).toEqual(['resource_link', 'hosted_page']);
	expect(await fieldsOf('hosted_content')).toEqual(['hosted_page']);
});

describe('what is due at once is refused by the name of its parameter:', () => {
	const planOf = (operation: Operation, parameters: JsonRecord) => {
		const input = new Values((name) => parameters[name]);
		const notice = () => undefined;
		const context: PlanContext = { now: NOW, timeZone: 'UTC', stored: parameters, notice };
		return operation.planBatch?.([input, input], context).errors?.get(0);
	};
	const due = { due_at: '2030-01-31T09:30:00Z' };

	it.each([
		['post/create', 'additionalFields'],
		['post/update', 'updateFields'],
	])('follow-ups of %s', (file, group) => {
		expect(planOf(load(file).operation, { [group]: { followups: [due] } })).toMatchObject({
			message: 'Several follow-ups are due at the same time. None of them was sent',
			details: { parameter: 'followups' },
		});
	});

	it('social actions', () => {
		const { operation } = load('socialAction/create');
		expect(planOf(operation, { workspaceId: ID, body: due })).toMatchObject({
			message: expect.stringContaining('due at the same time. None of them was sent') as string,
			details: { parameter: 'body' },
		});
	});
});

describe('a creation whose answer is lost', () => {
	/** How long it waits between looks, and what it asks for. */
	async function looksOf(
		create: Operation,
		{
			keyword,
			maxWaitMs,
			answer,
		}: { keyword: string; maxWaitMs: number; answer: Error | JsonRecord },
	) {
		const parameters = {
			...{ deliveryMode: 'external_link', keyword, resourceName: 'B' },
			...{ resourceLink: 'https://x.example/a', additionalFields: {} },
			options: { ifExists: 'return' },
		};
		const { call, asked } = itemScene(parameters, {
			maxWaitMs,
			answers: { 'leadMagnet.create': [answer] },
		});
		const waits: number[] = [];
		const wait = async (ms: number) => {
			waits.push(ms);
			await call.api.wait(ms);
		};
		const error = await Promise.resolve(create.run({ ...call, api: { ...call.api, wait } })).then(
			() => undefined,
			(thrown: unknown) => thrown,
		);
		return { waits, error, isSent: asked().includes('leadMagnet.create') };
	}

	it('is looked for with growing pauses, up to ten seconds', async () => {
		const { operation: create, lost: answer } = load('leadMagnet/create');
		const { waits, error } = await looksOf(create, { keyword: 'A', maxWaitMs: 45_000, answer });
		expect(error).toBeInstanceOf(Error);
		expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 10_000, 10_000, 10_000]);
	});

	it.each([
		[10_000, [1_000, 2_000, 4_000, 3_000]],
		[1e6, [1_000, 2_000, 4_000, 8_000, 10_000, 10_000, 10_000, 10_000, 5_000]],
	])('is awaited ten seconds to a minute by the next one: %d', async (maxWaitMs, expected) => {
		const { operation: create, lost: answer } = load('leadMagnet/create');
		await looksOf(create, { keyword: 'A', maxWaitMs: 0, answer });
		const next = await looksOf(create, { keyword: 'A', maxWaitMs, answer: { id: 'new' } });
		expect(next).toEqual({ waits: expected, error: undefined, isSent: true });
	});
});

it.each([
	['post', { postId: ID, updateFields: { text: 'B' } }, { status: 'draft' }, 'post'],
	['leadMagnet', { leadMagnetId: ID, updateFields: { keyword: 'B' } }, {}, 'lead magnet'],
])(
	'an update of a %s that a read shows is said to be one',
	async (resource, given, before, what) => {
		const { operation, lost } = load(`${resource}/update`);
		const after = { ...before, text: 'B', keyword: 'B' };
		const reads = resource === 'post' ? [before, after] : [after];
		const { call, said } = itemScene(
			{ options: {}, ...given },
			{ answers: { [`${resource}.get`]: reads, [`${resource}.update`]: [lost] } },
		);
		await operation.run(call);
		expect(said).toEqual([
			`The answer to an update of a ${what} was lost; a read shows all new values`,
		]);
	},
);
