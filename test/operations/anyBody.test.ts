/** Custom fields are merged into what is sent, whatever their names and values are. */
import * as fc from 'fast-check';

import type { JsonRecord } from '../../nodes/LeadGenPublishing/api/schemas';
import {
	readCustomFields,
	withCustomFields,
} from '../../nodes/LeadGenPublishing/fields/customFields';
import { Values } from '../../nodes/LeadGenPublishing/parameters/values';
import { exactJson } from '../support/exactJson';

const NAMES = ['text', 'notes', 'x', '__proto__', 'constructor', 'toString', 'hasOwnProperty', ''];
const name = fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...NAMES) }, fc.string());
const value = fc.oneof(fc.constant(null), exactJson({ maxDepth: 2 }));
const entries = fc.uniqueArray(fc.tuple(name, value), { selector: ([key]) => key, maxLength: 8 });
const fields = entries.map((pairs) => Object.fromEntries(pairs) as JsonRecord);

/** As people describe it: laid over the rest, and null takes away. */
function expected(sent: JsonRecord, custom: JsonRecord): Array<[string, unknown]> {
	const kept = Object.entries(sent).filter(([key]) => !Object.hasOwn(custom, key));
	const added = Object.entries(custom).filter(([, one]) => one !== null);
	return [...kept, ...added].sort(([one], [other]) => (one < other ? -1 : 1));
}
const sorted = (record: object) =>
	Object.entries(record).sort(([one], [other]) => (one < other ? -1 : 1));
const asInput = (custom: unknown) =>
	new Values((key) => (key === 'options' ? { customFields: custom } : undefined));

const inherited = (): string => Object.getOwnPropertyNames(Object.prototype).sort().join();
const before = inherited();
afterEach(() => expect(inherited()).toBe(before));

it('lie over the rest, null takes away, and neither is changed', () => {
	fc.assert(
		fc.property(fields, fields, (sent, custom) => {
			const texts = JSON.stringify([sent, custom]);
			const merged = withCustomFields(sent, custom);
			expect(sorted(merged)).toEqual(expected(sent, custom));
			expect(Object.getPrototypeOf(merged)).toBe(Object.prototype);
			expect(JSON.stringify([sent, custom])).toBe(texts);
		}),
		{ numRuns: 500 },
	);
});

it('are the same as an object and as JSON; what is nothing is not among them', () => {
	fc.assert(
		fc.property(fields, fc.array(fc.constantFrom(...NAMES.slice(0, 3))), (custom, nothing) => {
			const clean = sorted(JSON.parse(JSON.stringify(custom)) as JsonRecord);
			expect(sorted(readCustomFields(asInput(JSON.stringify(custom))))).toEqual(clean);
			const missing = nothing.map((key) => [key, undefined]);
			const withNothing = Object.fromEntries([...missing, ...Object.entries(custom)]);
			expect(sorted(readCustomFields(asInput(withNothing)))).toEqual(sorted(custom));
		}),
		{ numRuns: 300 },
	);
});
