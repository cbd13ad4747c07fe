/**
 * A value that is wrong for a parameter is rejected with the parameter's name before anything is
 * sent, even if it would have had no effect.
 */
import type { INodeProperties } from 'n8n-workflow';

import { changed, labelled, prepareAll, type Spot } from './everyParameter';
import { setUpKit } from '../support/kit/index';
import { shareOf } from '../support/long';

const kit = setUpKit();

const OF_TYPE: Readonly<Partial<Record<INodeProperties['type'], readonly string[]>>> = {
	boolean: ['"perhaps"', '2', '[]', '({})'],
	dateTime: ['"soon"', '7', '"2031-02-31T10:00"', '({})'],
	json: ['"{"', '"text"'],
	multiOptions: ['"nonsense"', '["monday", "nonsense"]'],
	number: ['"many"', 'true', '[5]', '({})', '"5 or 6"'],
	options: ['"nonsense"', '"toString"', '7.5', '({})'],
	resourceLocator: ['"nonsense"', '"../me"', '({})'],
	string: ['({ a: { b: 1 } })'],
};
/** Texts that may be lists, including lists of objects. */
const LISTS = ['images', 'linkedPosts', 'followups'];

function wrongFor({ name, type, typeOptions = {} }: INodeProperties): string[] {
	if (LISTS.includes(name)) return [];
	const { minValue, maxValue } = typeOptions;
	return [
		...(OF_TYPE[type] ?? []),
		...(minValue === undefined ? [] : [String(minValue - 1)]),
		...(maxValue === undefined ? [] : [String(maxValue + 1)]),
	];
}

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

async function expectRejected(spot: Spot, wrong: string): Promise<void> {
	const { parameters, items } = await prepareAll(kit.service, spot.operation);
	kit.service.clearLog();
	const run = await kit.run(changed(parameters, spot, `={{ ${wrong} }}`), {
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
