/** Whose follow-ups are looked at together before anything is sent, and wherever they are given. */
import { byId, setUpKit, type Parameters } from '../support/kit/index';

const kit = setUpKit({ resource: 'post' });

const due = (...times: string[]) =>
	times.map((time) => ({ text: 'And?', due_at: `2090-01-02T${time}:00Z` }));
const TWICE = due('10:00', '10:00');
const create = ({ options, ...more }: Parameters = {}) => ({
	...{ operation: 'create', text: 'A post', ...more },
	options: { dueTimeField: 'due_at', ...(options as object) },
});
const each = (...given: unknown[]) => given.map((followups) => ({ json: { followups } as object }));

async function outcome(parameters: Parameters, items = [{ json: {} }]) {
	const run = await kit.run(parameters, { items, onError: 'continueErrorOutput' });
	return {
		refused: (run.outputs[1] ?? []).map(({ json }) => String(json.error)),
		sent: kit.writes().length,
		hints: run.runData['Node under test']?.[0]?.hints?.map(({ message }) => message) ?? [],
	};
}

describe('two follow-ups that are due at once are refused', () => {
	it.each<[string, Parameters]>([
		['as a list', { additionalFields: { followups: JSON.stringify(TWICE) } }],
		['by name', { additionalFields: { followups: { first: TWICE[0], second: TWICE[1] } } }],
		['as custom fields', { options: { customFields: JSON.stringify({ followups: TWICE }) } }],
		['in custom fields as an object', { options: { customFields: { followups: TWICE } } }],
		[
			'in custom fields, over others',
			{
				additionalFields: { followups: JSON.stringify(due('10:00', '10:07')) },
				options: { customFields: { followups: TWICE } },
			},
		],
	])('%s', async (_, given) => {
		const { refused, sent } = await outcome(create(given));
		expect(refused).toEqual([
			expect.stringContaining('Several follow-ups are due at the same time. None of them was sent'),
		]);
		expect(sent).toBe(0);
	});
});

describe('what is refused takes nothing else along:', () => {
	const mapped = create({ additionalFields: { followups: '={{ $json.followups }}' } });

	it('a post without follow-ups', async () => {
		const items = each(due('10:00'), null, [], due('10:00'));
		const { refused, sent } = await outcome(mapped, items);
		expect(refused).toHaveLength(2);
		expect(sent).toBe(2);
	});

	it('a post of another account', async () => {
		const { clientA, clientB } = kit.service.world;
		const items = [clientA, clientB].map(({ id }) => ({
			json: { client: id, followups: due('10:00') } as object,
		}));
		const clientId = byId('={{ $json.client }}');
		const { refused, sent } = await outcome(kit.as('client', { ...mapped, clientId }), items);
		expect([refused, sent]).toEqual([[], 2]);
	});

	it('a post beside one whose follow-ups cannot be read', async () => {
		const { refused, sent } = await outcome(mapped, each('{', due('10:00')));
		expect(refused).toEqual([expect.stringContaining('Followups" is not valid JSON')]);
		expect(sent).toBe(1);
	});

	it('a post beside one whose client cannot be read', async () => {
		const { clientA } = kit.service.world;
		const items = ['nobody', clientA.id].map((client) => ({
			json: { client, followups: due('10:00') } as object,
		}));
		const clientId = byId('={{ $json.client }}');
		const { refused, sent } = await outcome(kit.as('client', { ...mapped, clientId }), items);
		expect(refused).toEqual([expect.stringContaining('is not an ID')]);
		expect(sent).toBe(1);
	});
});

it('a hint tells of follow-ups outside of working hours', async () => {
	const { hints, sent } = await outcome(
		create({ additionalFields: { followups: JSON.stringify(due('01:00', '01:07')) } }),
	);
	expect(sent).toBe(1);
	expect(hints.join()).toMatch(/follow-ups .* working hours/);
});

it.each(['create', 'update'])(
	'without the name of their field, %s sends them with a hint',
	async (operation) => {
		const { id } = kit.service.world.addPost(kit.service.world.own);
		const fields = { followups: JSON.stringify(TWICE) };
		const about =
			operation === 'create'
				? { additionalFields: fields }
				: { postId: byId(id), updateFields: fields };
		const { hints, sent } = await outcome({ operation, text: 'A post', ...about });
		expect(sent).toBe(1);
		expect(hints).toEqual([
			expect.stringMatching(/^The node did not check whether follow-ups .*"Due Time Field"/),
		]);
	},
);
