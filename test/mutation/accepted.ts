/**
 * Mutants that may live, each with its reason: it changes nothing that anybody could observe, or what
 * it changes is worth less than a test. Found by the text around them, so that they outlive changes
 * of other lines.
 */
import type { Candidate } from './candidates';

interface Accepted {
	readonly file: string;
	/** The line on which the mutant stands, without the white space around it. */
	readonly line: string;
	readonly kind: string;
	readonly why: string;
}

export const ACCEPTED: readonly Accepted[] = [
	{
		file: 'nodes/LeadGenPublishing/watch/list/tail.ts',
		line: "if (same) session.addPage(view, 'tail');",
		kind: 'text → another',
		why: 'All of its records are known, and what they were met for is noted of unknown ones only.',
	},
	{
		file: 'nodes/LeadGenPublishing/api/pages.ts',
		line: 'let pages = 0;',
		kind: 'number + 1',
		why: 'Ends a list that never ends after 49,999 pages instead of 50,000.',
	},
	{
		file: 'nodes/LeadGenPublishing/api/upload.ts',
		line: "outcome: { kind: 'status', status, retryAfterMs },",
		kind: 'text → another',
		why: 'A kind is only told from the two others, where there is no status.',
	},
	{
		file: 'nodes/LeadGenPublishing/run/writeOnce/packedRecords.ts',
		line: "const UNKNOWN = '\\0?\\0';",
		kind: 'text → another',
		why: 'It may be any text that no ID contains.',
	},
	{
		file: 'nodes/LeadGenPublishing/run/writeOnce/packedText.ts',
		line: 'export const indexOfNumber = (number: string): number => NUMBERS.indexOf(number);',
		kind: 'indexOf → lastIndexOf',
		why: 'Each digit occurs once.',
	},
	{
		file: 'nodes/LeadGenPublishing/operations/createOnce/createOnce.ts',
		line: '(memory.createdBy !== unique.list.id && (memory.createdAt ?? NaN) > unique.list.readAt);',
		kind: '> → >=',
		why: 'No creation has the same number as a reading of a list.',
	},
	{
		file: 'nodes/LeadGenPublishing/operations/createOnce/turns.ts',
		line: 'private count = 0;',
		kind: 'number + 1',
		why: 'Of these numbers, only the order matters.',
	},
	{
		file: 'nodes/LeadGenPublishing/operations/createOnce/turns.ts',
		line: 'this.count += 1;',
		kind: 'number + 1',
		why: 'Of these numbers, only the order matters.',
	},
	{
		file: 'nodes/LeadGenPublishing/output/flatten.ts',
		line: "if (name !== '__proto__') record[name] = value;",
		kind: 'condition → false',
		why: 'Makes the same field in another way; only slower.',
	},
	{
		file: 'nodes/LeadGenPublishing/parameters/parse/wallClock.ts',
		line: 'if (known !== undefined) return known;',
		kind: 'condition → false',
		why: 'Makes the same formatter once more; only slower.',
	},
	{
		file: 'nodes/LeadGenPublishing/parameters/parse/wallClock.ts',
		line: 'clocks.set(timeZone, clock);',
		kind: 'statement left out',
		why: 'Makes the same formatter once more; only slower.',
	},
	{
		file: 'nodes/LeadGenPublishing/operations/pacing/pacing.ts',
		line: 'const group = one.group.toLowerCase();',
		kind: 'toLowerCase → toUpperCase',
		why: 'Two spellings of an ID are one in either case.',
	},
	{
		file: 'nodes/LeadGenPublishing/operations/pacing/rhythm.ts',
		line: 'for (let index = period; index < gaps.length; index += 1) {',
		kind: '< → <=',
		why: 'What is past the end equals nothing, and ends a row that has ended anyway.',
	},
	{
		file: 'nodes/LeadGenPublishing/operations/lead/simplify.ts',
		line: 'return Object.hasOwn(flat, PROFILE_KEY) ? addFields(simple, { [PROFILE_KEY]: key }) : simple;',
		kind: 'condition → true',
		why: 'Adds a field that is there already, with the same value; only slower.',
	},
];

export function isAccepted(
	{ file, line, kind }: Pick<Candidate, 'file' | 'line' | 'kind'>,
	text: string,
	accepted: readonly Accepted[] = ACCEPTED,
): boolean {
	const own = text.split('\n')[line - 1]?.trim();
	return accepted.some((one) => one.file === file && one.kind === kind && one.line === own);
}
