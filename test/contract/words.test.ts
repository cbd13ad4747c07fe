/** The rules of n8n's UX guidelines about words. */
import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';

import { membersOf, operations } from './forms';
import { action, trigger } from './nodes';

type Entry = INodeProperties | INodePropertyOptions | INodePropertyCollection;

const isProperty = (entry: Entry): entry is INodeProperties => 'type' in entry;

/** Every parameter and every choice, including those in collections. */
function everything(entries: readonly Entry[]): Entry[] {
	return entries.flatMap((entry) => {
		if (!isProperty(entry)) return [entry, ...('values' in entry ? everything(entry.values) : [])];
		return [entry, ...everything(entry.options ?? [])];
	});
}

const entries = [action, trigger].flatMap(({ properties }) => everything(properties));
const parameters = entries.filter(isProperty);

/** Of parameters and choices. */
const texts = [
	...parameters.flatMap(({ description, hint }) => [description, hint]),
	...entries.flatMap((entry) => ('description' in entry ? [entry.description] : [])),
].filter((text): text is string => text !== undefined && text !== '');

const sentencesIn = (text: string) => text.split(/[.:;]\s+(?=[A-Z])/).length;

describe('the words of the nodes', () => {
	it('one sentence has no full stop, several have', () => {
		expect(texts.length).toBeGreaterThan(100);
		const wrong = texts.filter((text) => text.endsWith('.') !== sentencesIn(text) > 1);
		expect(wrong).toEqual([]);
	});

	it('sentences begin with a capital letter', () => {
		expect(texts.filter((text) => /^[a-z]/.test(text))).toEqual([]);
	});

	it('a switch says "Whether"', () => {
		const switches = parameters.filter(({ type }) => type === 'boolean');
		expect(switches.filter(({ description }) => !description?.startsWith('Whether '))).toEqual([]);
	});

	it('an example begins with "e.g."', () => {
		const examples = parameters
			.filter(({ type }) => !['collection', 'fixedCollection'].includes(type))
			.map(({ placeholder }) => placeholder ?? '')
			.filter((text) => text !== '' && !/^Select .*…$/.test(text));
		expect(examples.length).toBeGreaterThan(20);
		expect(examples.filter((text) => !text.startsWith('e.g. '))).toEqual([]);
	});

	it('a text field that is not filled has an example', () => {
		const bare = parameters.filter(
			({ type, default: value, placeholder }) =>
				type === 'string' && value === '' && placeholder === undefined,
		);
		expect(bare.map(({ name }) => name)).toEqual([]);
	});

	it('an action is a sentence without articles, names its object, and is unique', () => {
		const actions = operations.map(({ operation }) => operation.action);
		for (const text of actions) {
			expect(text).toMatch(/^[A-Z]\S* \S/);
			expect(text).not.toMatch(/\b(a|an|the)\b/i);
		}
		expect(new Set(actions).size).toBe(actions.length);
	});

	it('optional fields and options are in alphabetical order', () => {
		for (const field of parameters) {
			const names = membersOf(field).map(({ displayName }) => displayName);
			const first = ['Unique Key', 'If Exists'].filter((name) => names.includes(name));
			const others = names.filter((name) => !first.includes(name));
			expect(names).toEqual([...first, ...others.sort((a, b) => a.localeCompare(b))]);
		}
	});

	it('the list comes before the field for an ID', () => {
		const locators = parameters.filter(({ type }) => type === 'resourceLocator');
		expect(locators.length).toBeGreaterThan(10);
		for (const { modes, default: value } of locators) {
			expect(['list,url,id', 'list,url,id,name']).toContain(modes?.map(({ name }) => name).join());
			expect(value).toMatchObject({ mode: 'list' });
		}
	});
});
