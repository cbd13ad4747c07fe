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
	{
		file: 'nodes/LeadGenPublishing/watch/store/hash.ts',
		line: '.sort(([left], [right]) => (left < right ? -1 : 1))',
		kind: 'number + 1',
		why: 'Of what a comparison gives, only the sign matters.',
	},
	{
		file: 'nodes/LeadGenPublishing/fields/shared.ts',
		line: '[...fields].sort((a, b) => (a.displayName < b.displayName ? -1 : 1));',
		kind: 'number + 1',
		why: 'Of what a comparison gives, only the sign matters.',
	},
	{
		file: 'nodes/LeadGenPublishing/operations/media/limits.ts',
		line: '.sort((a, b) => (a.name < b.name ? -1 : 1));',
		kind: 'number + 1',
		why: 'Of what a comparison gives, only the sign matters.',
	},
	{
		file: 'nodes/LeadGenPublishing/parameters/parse/dateTime.ts',
		line: 'const date = new Date(0);',
		kind: 'number + 1',
		why: 'Every part of that date is set afterwards.',
	},
	{
		file: 'nodes/LeadGenPublishing/parameters/parse/wallClock.ts',
		line: 'if (before === after) return [{ from: from - before, to: to - before }];',
		kind: 'condition → false',
		why: 'The long way finds the same span; only slower.',
	},
	{
		file: 'nodes/LeadGenPublishing/watch/n8n/sample.ts',
		line: 'if (last !== undefined) offset = Math.max(offset, last - limit);',
		kind: 'condition → true',
		why: 'It is undefined only where the time is spent, and then nothing more is read.',
	},
	{
		file: 'nodes/LeadGenPublishing/run/batch.ts',
		line: "return account.kind === 'client' ? account.clientId : undefined;",
		kind: 'condition → true',
		why: 'An own account has no client ID, so it gives undefined as well.',
	},
	{
		file: 'nodes/LeadGenPublishing/run/batch.ts',
		line: "functions.getNodeParameter('resource', 0, ''),",
		kind: 'number + 1',
		why: 'Whoever gets here has been told before that it may not change from item to item.',
	},
	{
		file: 'nodes/LeadGenPublishing/watch/store/bits.ts',
		line: 'for (; left > MAX_STEP; left -= MAX_STEP) {',
		kind: '> → >=',
		why: 'Writes the last bits in the loop, and then none.',
	},
	{
		file: 'nodes/LeadGenPublishing/watch/store/bits.ts',
		line: 'for (; left >= MAX_STEP; left -= MAX_STEP) {',
		kind: '>= → >',
		why: 'Writes the last bits behind the loop.',
	},
	{
		file: 'nodes/LeadGenPublishing/watch/store/stateMemory.ts',
		line: "return { kind: 'sound', base: stored.value };",
		kind: 'text → another',
		why: 'A kind is only told from those that have a notice.',
	},
	{
		file: 'nodes/LeadGenPublishing/operations/listing.ts',
		line: "value: endpoint.slice(endpoint.indexOf('.') + 1),",
		kind: 'indexOf → lastIndexOf',
		why: 'The name of an endpoint has one dot.',
	},
	{
		file: 'nodes/LeadGenPublishing/operations/listing.ts',
		line: "optionsField([customFieldsOption('query'), maxWaitOption, onIncompleteListOption]),",
		kind: 'text → another',
		why: 'It is only told from the body of a request.',
	},
	{
		file: 'nodes/LeadGenPublishing/operations/post/uniquePost.ts',
		line: "identity: ['post', key],",
		kind: 'text → another',
		why: 'It may be any text that no lead magnet has there.',
	},
	{
		file: 'nodes/LeadGenPublishing/api/turnstile.ts',
		line: 'this.passed += 1;',
		kind: '+= → -=',
		why: 'Every second one waits, whichever way they are counted.',
	},
	{
		file: 'nodes/LeadGenPublishing/watch/store/eliasFano.ts',
		line: 'for (let index = 0; index < size; index++) writer.write(values[index] ?? 0, width);',
		kind: 'number + 1',
		why: 'There is a value for each index; the default is never used.',
	},
	{
		file: 'nodes/LeadGenPublishing/watch/store/seen.ts',
		line: 'if ((mark & FOUND) > 0 || !met(contents.hashes[index] ?? 0)) continue;',
		kind: 'number + 1',
		why: 'There is a hash for each index; the default is never used.',
	},
	{
		file: 'nodes/LeadGenPublishing/watch/n8n/settings.ts',
		line: '...new Map(named.toReversed().map((id) => [id.toLowerCase(), id])).values(),',
		kind: 'toLowerCase → toUpperCase',
		why: 'Two spellings of an ID are one in either case.',
	},
	{
		file: 'nodes/LeadGenPublishing/watch/list/lastPage.ts',
		line: 'const MAX_OFFSET = 1e6;',
		kind: 'number + 1',
		why: 'Gives up a list that never ends one record later.',
	},
	{
		file: 'nodes/LeadGenPublishing/watch/store/pauses.ts',
		line: '[value.failures, value.since, value.ms, value.faults ?? 0, value.first ?? 0].every(',
		kind: 'number + 1',
		why: 'Whatever is not stored only has to pass as a number from 0 on.',
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
