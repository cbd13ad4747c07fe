/** Schedule > Spread as the node runs it. */
import { rhythmOf } from '../../nodes/LeadGenPublishing/operations/pacing/rhythm';
import { setUpKit } from '../support/kit/index';

const kit = setUpKit({ resource: 'post' });
const spread = (parameters: Record<string, unknown> = {}) => ({
	resource: 'schedule',
	operation: 'spread',
	workingDays: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'],
	fromTime: '09:00',
	toTime: '17:00',
	timeZone: 'UTC',
	minimumGapMinutes: 5,
	outputField: 'scheduled_at',
	...parameters,
});
const START = '2090-01-02T00:00:00Z';
const items = Array.from({ length: 30 }, (_, n) => ({ json: { n } }));

afterEach(() => expect(kit.service.requests).toHaveLength(0));

it('gives each item its due time and sends nothing', async () => {
	const run = await kit.run(spread({ start: START }), { items });
	const out = run.outputs[0] ?? [];
	expect(out.map(({ json, pairedItem }) => [json.n, pairedItem])).toEqual(
		items.map((_, item) => [item, { item }]),
	);
	const times = out.map(({ json }) => Date.parse(String(json.scheduled_at)));
	expect([...times].sort((a, b) => a - b)).toEqual(times);
	expect(rhythmOf(times)).toBeUndefined();
	// Monday, 2 January 2090.
	expect(out[0]?.json.scheduled_at).toMatch(/^2090-01-02T(09|1[0-6]):/);
});

it('trims the name of the output field, and replaces what the item has there', async () => {
	const parameters = spread({ start: START, options: { outputField: ' due_at ' } });
	const { json } = await kit.item(parameters, { items: [{ json: { due_at: 'soon', n: 1 } }] });
	expect(json).toEqual({ due_at: expect.stringMatching(/^2090-01-02T/), n: 1 });
});
