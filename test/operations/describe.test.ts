/** What decides whether the parameters of an item have changed since an earlier attempt. */
import { decidingNames, valueAsText } from '../../nodes/LeadGenPublishing/operations/describe';
import { findOperation } from '../../nodes/LeadGenPublishing/operations/index';
import { Values } from '../../nodes/LeadGenPublishing/parameters/values';

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
