/**
 * An operation reads only parameters of its own form, so code that reads a removed one must go,
 * too.
 */
import { namesOf } from '../../nodes/LeadGenPublishing/operations/describe';
import { Values } from '../../nodes/LeadGenPublishing/panel/parameters/values';
import { setUpKit } from '../support/kit/index';
import { isList } from './everyOperation';
import { prepareAll } from './everyParameter';
import { operations } from './forms';

const kit = setUpKit();

const READERS = [
	...(['choice', 'collection', 'flag', 'has', 'isStored', 'json'] as const),
	...(['optionalList', 'optionalNumber', 'optionalText', 'rows'] as const),
];

/** Code that several operations share looks for this parameter in each of them. */
const sharedOf = (name: string): string | undefined =>
	isList(name) ? 'filters' : name === 'post.upsert' ? 'idempotencyKey' : undefined;

it.each(operations)('$name', async ({ name, operation }) => {
	const { parameters, items } = await prepareAll(kit.service, name);
	const spies = READERS.map((reader) => jest.spyOn(Values.prototype, reader));
	await kit.run(parameters, { items });
	const read = spies.flatMap(({ mock }) => mock.calls.map(([parameter]) => parameter));
	for (const spy of spies) spy.mockRestore();
	const form = [...namesOf(operation), sharedOf(name)];
	const readButNotInForm = [...new Set(read)].filter((one) => !form.includes(one));
	const file = `operations/${name.replace('.', '/')}.ts, or a file that it calls`;
	expect({ file, readButNotInForm }).toEqual({ file, readButNotInForm: [] });
	expect(read).not.toEqual([]);
});
