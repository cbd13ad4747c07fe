/** Which operation is meant, and what decides whether an item has changed since an earlier attempt. */
import { InputError } from '../../nodes/LeadGenPublishing/words/inputError';
import { decidingNames, valueAsText } from '../../nodes/LeadGenPublishing/operations/describe';
import { findOperation } from '../../nodes/LeadGenPublishing/operations/index';
import { Values } from '../../nodes/LeadGenPublishing/panel/parameters/values';

const textOf = (name: string, value: unknown) => valueAsText(name, new Values(() => value));

it('is what is sent, and for whom', () => {
	const names = decidingNames(findOperation('post', 'create'));
	expect(names).toEqual(expect.arrayContaining(['actAs', 'clientId', 'text', 'status', 'options']));
});

it('is not how the node behaves', () => {
	const options = { uniqueKey: 'a', maxWaitSeconds: 5, dryRun: true };
	expect(textOf('options', { ...options, maxWaitSeconds: 60 })).toBe(textOf('options', options));
	expect(textOf('options', { ...options, uniqueKey: 'b' })).not.toBe(textOf('options', options));
	// A field of the same name is sent.
	expect(textOf('text', { maxWaitSeconds: 5 })).toBe('{"maxWaitSeconds":5}');
});

it('is nothing where a value cannot be read', () => {
	const unreadable = new Values(() => {
		throw new Error('Referenced node is unexecuted');
	});
	expect(valueAsText('text', unreadable)).toBe('');
	expect(textOf('text', undefined)).toBe('');
});

it.each([
	[undefined, 'get', '"Resource" is empty', 'resource'],
	[' ', '', '"Resource" is empty', 'resource'],
	['post', '', '"Operation" is empty', 'operation'],
	['post', null, '"Operation" is empty', 'operation'],
	['post', 'publish', 'The operation "publish" of the resource "post" does not exist', 'operation'],
	['blog', '', 'The operation "" of the resource "blog" does not exist', 'operation'],
	['toString', 'get', 'The operation "get" of the resource "toString" does not', 'operation'],
])('there is none for %j and %j', (resource, operation, problem, parameter) => {
	const find = () => findOperation(resource, operation);
	expect(find).toThrow(InputError);
	expect(find).toThrow(problem);
	try {
		find();
	} catch (error) {
		expect(error).toMatchObject({
			remedy: expect.stringMatching(/^Choose ".*" from (its list|their lists)\.$/) as string,
			details: { parameter },
		});
	}
});

it('is found by its resource and its name', () => {
	expect(findOperation('lead', 'getAll').endpoints).toEqual(['lead.getAll']);
});
