/**
 * A value that is wrong for a parameter is rejected with the parameter's name before anything is
 * sent, even if it would have had no effect.
 */
import { changed, labelled, prepareAll, type Spot } from './everyParameter';
import { setUpKit } from '../support/kit/index';
import { shareOf } from '../support/long';
import { expressionOf, wrongFor } from './wrongFor';

const kit = setUpKit();

const cases = labelled.filter(([, { field }]) => wrongFor(field).length > 0);

it('nearly all parameters have wrong values', () => {
	expect(cases.length).toBeGreaterThan(labelled.length * 0.7);
});

it.each(cases.map(([label, spot], index) => [label, spot, index] as const))(
	'%s',
	async (...[, spot, index]) => {
		const all = wrongFor(spot.field);
		for (const wrong of shareOf(all, { nth: all.length, index })) await expectRejected(spot, wrong);
	},
);

async function expectRejected(spot: Spot, wrong: unknown): Promise<void> {
	const { parameters, items } = await prepareAll(kit.service, spot.operation);
	kit.service.clearLog();
	const run = await kit.run(changed(parameters, spot, expressionOf(wrong)), {
		items,
		onError: 'continueErrorOutput',
	});
	const item = run.outputs[1]?.[0]?.json;
	const message = String(run.error?.message ?? item?.error);
	const [, problem = ''] = message.split(`${spot.field.displayName}"`);
	expect([wrong, message, problem]).toEqual([wrong, message, expect.stringMatching(/^ \w+ \w+/)]);
	// What to do about it.
	if (item !== undefined)
		expect([wrong, item.details]).toMatchObject([
			wrong,
			{ next: expect.stringMatching(/\w+ \w+/) },
		]);
	expect([wrong, kit.sent(), kit.service.storageRequests]).toEqual([wrong, [], []]);
}
