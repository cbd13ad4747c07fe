/**
 * Whether the words of an error fit what happened: they recommend only options of the operation,
 * name no change after a read, and say nothing twice. Checks every failure that a test of the
 * action node looks at.
 */
import type { INodeProperties } from 'n8n-workflow';

import { LeadGenPublishingApi } from '../../../credentials/LeadGenPublishingApi.credentials';
import { LeadGenPublishing } from '../../../nodes/LeadGenPublishing/LeadGenPublishing.node';
import { LeadGenPublishingTrigger } from '../../../nodes/LeadGenPublishing/LeadGenPublishingTrigger.node';
import { labelOf } from '../../../nodes/LeadGenPublishing/panel/parameters/labels';
import { labelsOf } from '../../../nodes/LeadGenPublishing/operations/describe';
import { findOperation, RESOURCES } from '../../../nodes/LeadGenPublishing/operations/index';
import type { Operation } from '../../../nodes/LeadGenPublishing/operations/operation';
import { COLUMNS_OF_CHECK } from '../../diagnose/columns';

interface FailureInWords {
	/** As an AI agent or an error workflow sees it: the message alone. */
	error: string;
	/** Message and description. */
	message: string;
	details: Record<string, unknown>;
}

const everyLabel = (properties: readonly INodeProperties[]): string[] =>
	properties.flatMap((property) => [
		property.displayName,
		...(property.options ?? []).flatMap((option) =>
			'displayName' in option && 'type' in option ? everyLabel([option]) : [],
		),
	]);

export const triggerLabels = everyLabel(new LeadGenPublishingTrigger().description.properties);
const credentialLabels = new LeadGenPublishingApi().properties.map(
	({ displayName }) => displayName,
);
const ALL_LABELS = new Set([
	...everyLabel(new LeadGenPublishing().description.properties),
	...triggerLabels,
	...credentialLabels,
]);

const quotedIn = (text: string): string[] =>
	[...text.matchAll(/"([^"]+)"/g)].map(([, inside = '']) => inside);

/** What is wrong with the words of an operation, or of the trigger if none is given. */
export function misfits(
	{ error, message, details }: FailureInWords,
	{ labels, reading }: { labels: readonly string[]; reading: boolean },
): string[] {
	const found: string[] = [];
	const offered = new Set([...labels, ...credentialLabels]);
	for (const label of quotedIn(message).flatMap((text) => text.split(' > ')))
		if (ALL_LABELS.has(label) && !offered.has(label)) found.push(`it has no "${label}"`);
	for (const [, resource = '', operation = ''] of message.matchAll(
		/\b((?:[A-Z][a-z]+ )?[A-Z][a-z]+) > ((?:[A-Z]\w+ )*[A-Z]\w+(?: \([A-Z][a-z]+\))?)/g,
	)) {
		const known = RESOURCES.find(({ name }) => resource.endsWith(name))?.operations;
		const isOperation = known?.some(({ name }) => operation.startsWith(name)) === true;
		if (!isOperation && !ALL_LABELS.has(operation)) found.push(`no "${resource} > ${operation}"`);
	}
	for (const [, name = ''] of message.matchAll(/"([a-z_]+)"\)? \(?in the details/g))
		if (!(name in details)) found.push(`the details have no ${name}`);
	if (/in the details/.test(message) && !/"[a-z_]+"\)? \(?in the details/.test(message))
		found.push('something unnamed is said to be in the details');
	const { request_id: id } = details;
	if (typeof id === 'string' && message.split(id).length !== 2)
		found.push(`the request ID comes ${message.split(id).length - 1} times`);
	for (const phrase of ['not known whether', 'cannot tell whether'])
		if (message.split(phrase).length > 2) found.push(`"${phrase}" comes twice`);
	if (/not known whether/.test(message) && /cannot tell whether/.test(message))
		found.push('it says twice that the outcome is not known');
	for (const mark of MARKS)
		if (mark.test(message.replaceAll('…', ''))) found.push(`it holds ${String(mark)}`);
	if (/\b1 (?!Minutes|s\b)[a-z]+s\b/.test(message)) found.push('a plural of one');
	if (!/[.!?]$/.test(message)) found.push('it has no end');
	if (error.length > 300) found.push(`the title has ${error.length} characters`);
	if (typeof id === 'string' && error.includes(id)) found.push('the title has the request ID');
	if (!/\w{3}/.test(message.slice(error.length))) found.push('it does not say what to do');
	const [, label = ''] = /^The parameter "([^"]+)"/.exec(error) ?? [];
	const isOther = (name: string) => label.split(' > ').at(-1) !== labelOf(name);
	if (label !== '' && typeof details.parameter === 'string' && isOther(details.parameter))
		found.push(`the details name the parameter ${details.parameter}`);
	for (const [name, value] of Object.entries(details))
		if (value === '') found.push(`the detail ${name} is empty`);
	const sentences = message.split(/(?<=[.!?])\s+/);
	if (new Set(sentences).size < sentences.length) found.push('a sentence comes twice');
	if (/asked to wait until/.test(message) && !details.not_before)
		found.push('nobody has said until when');
	if (TO_REPEAT.test(message) && NOT_TO_REPEAT.test(message))
		found.push('it is to be repeated, and not to be repeated');
	if (
		/(?<=[a-z0-9"])(?<! a) (If|Check|Enter|Use|Run|Wait|Look|Correct|Choose|Set) [a-z"]/.test(
			message.replace(/".*?"/g, '""'),
		)
	)
		found.push('two sentences without a full stop between them');
	const advice = message.slice(error.length);
	const again =
		/\b(try|run|read) (it |this )?again later|then try again|then run the upload again/i;
	if (again.test(advice) && details.retryable !== true) found.push('"again" is not retryable');
	if (details.retryable === true && !/again|later|wait|repeat/i.test(advice))
		found.push('retryable, but it does not say so');
	if (details.retryable === true && /does not help|do not repeat/i.test(advice))
		found.push('retryable, but told not to repeat');
	if (reading && OF_A_CHANGE.test(ours(message))) found.push('a read speaks of a change');
	return found;
}

/** Traces of a missing part of a sentence. */
const MARKS = [
	...[/\.\./, /\.\s+\./, /:\s*:/, /:\s*\./, /\s[.,:;]/, /\s{2}/],
	/\bundefined\b|\bNaN\b/,
];

const TO_REPEAT =
	/\b(run (it|this|exactly the same|the node|the upload) again\b|retry this execution|try again)/i;
const NOT_TO_REPEAT = /do not repeat|does not help|rejected again/i;

const OF_A_CHANGE =
	/the (change|update|deletion|archiving|new post|upload)\b|was not sent again|No second|before you repeat|[Nn]othing was (changed|updated|deleted)|was not changed/;

/** Without the names of operations, and without what is quoted from elsewhere. */
const ours = (message: string): string => message.replace(/"[^"]*"/g, '""');

const operationOf = (parameters: Record<string, unknown>): Operation | undefined => {
	try {
		return findOperation(parameters.resource, parameters.operation);
	} catch {
		return undefined;
	}
};

export function expectFittingWords(
	failure: FailureInWords,
	parameters: Record<string, unknown>,
): void {
	const operation = operationOf(parameters);
	if (operation === undefined) return;
	const reading = operation.kind === 'read';
	expect([failure.message, misfits(failure, { labels: labelsOf(operation), reading })]).toEqual([
		failure.message,
		[],
	]);
}

/** An error of the trigger says what happened, and what to do or what happens next. */
export function expectFittingPollError({
	message,
	description = '',
}: Error & { description?: string | null }): void {
	const said = `${message}\n${description}`.trim();
	const marks = MARKS.filter((mark) => mark.test(said));
	expect([said, marks]).toEqual([expect.stringMatching(/\w{3}[^]*[.\n] ?[^]*\w{3}/), []]);
}

const SENTENCES = /^(?:n8n|[A-Z\d"])(?!.*\{about\}).*[.]$/;

/** An item of a diagnosis: what was seen, what it means, and what to do about it. */
export function expectFittingCheck(item: Record<string, unknown>): void {
	const { check, result, seen, means, do_next: next } = item;
	expect(Object.keys(item)).toEqual(COLUMNS_OF_CHECK);
	const isRight = [
		/\w/.test(String(seen)) && !/undefined|NaN|\s{2}|\s[.,;]|[,;:]$/.test(String(seen)),
		SENTENCES.test(String(means)),
		(next === '' && result !== 'needs_you') || SENTENCES.test(String(next)),
	];
	expect([check, seen, means, next, ...isRight]).toEqual([
		...[check, seen, means, next, true, true, true],
	]);
}
