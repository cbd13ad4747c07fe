import { ASSUMED_FIELDS } from '../../api/assumptions';
import { isReason } from '../../api/policy';
import { ApiFailure, outcomeOf, withFindings } from '../../api/failure';
import { isRecord, type JsonRecord, without } from '../../api/schemas';
import { shownTime } from '../../words/shownTime';
import { readCustomFields, withCustomFields } from '../../panel/fields/customFields';
import { postLocator } from '../../panel/fields/locators';
import { keyFromUnique } from '../../panel/fields/retrySafety';
import { uniqueKeyOption } from '../../panel/fields/uniqueKey';
import type { Values } from '../../panel/parameters/values';
import { defineOperation } from '../define';
import { sharedKeys } from '../../panel/parameters/sharedKeys';
import { DURATION, INTERVAL, minutesField, readMinutes } from './minutesFields';

export const startFastResponse = defineOperation({
	action: 'Start fast response on post',
	description: 'Start a temporary boost of a scheduled or published post',
	outside: { kind: 'always', what: 'how fast commenters get a reply' },
	endpoints: ['post.startFastResponse'],
	fields: [
		{
			...postLocator,
			description: `${postLocator.description} Only one post of an account can occupy a time window, and not every account is enabled for it.`,
		},
		minutesField(INTERVAL),
		minutesField(DURATION),
	],
	customFields: 'body',
	options: [
		uniqueKeyOption(
			'A value that only this start of Fast Response has, such as a row ID. The node makes the idempotency key from it, so that the service recognizes a repeated start.',
		),
	],
	planBatch: (inputs, { stored }) =>
		sharedKeys(inputs, stored, (input) => ({
			place: input.uuid('postId'),
			content: () => bodyOf(input),
		})),
	run: async ({ api, functions, input, stableKey }) => {
		const id = input.uuid('postId');
		const body = bodyOf(input);
		const idempotencyKey = keyFromUnique(input.collection('options'), {
			stableKey,
			request: ['startFastResponse', id, JSON.stringify(body)],
			subject: ['post.startFastResponse', id],
		});
		const { value: answer, failure } = await outcomeOf(
			api.call('post.startFastResponse', { params: { id }, body, idempotencyKey }),
		);
		if (failure !== undefined) throw withReservedWindow(failure, functions.getTimezone());
		return answer.data;
	},
});

function bodyOf(input: Values): JsonRecord {
	const chosen = {
		[ASSUMED_FIELDS.fastResponseInterval]: readMinutes(input, INTERVAL),
		[ASSUMED_FIELDS.fastResponseDuration]: readMinutes(input, DURATION),
	};
	const given = Object.entries(chosen).filter(([, minutes]) => minutes !== undefined);
	return withCustomFields(Object.fromEntries(given), readCustomFields(input));
}

/** The API document does not show the fields of the window, so all details are shown. */
function withReservedWindow(error: ApiFailure, timeZone: string): ApiFailure {
	const { facts } = error;
	if (!isReason(facts, 'boost_window_conflict')) return error;
	const parts = describeDetails(without(facts.serviceDetails ?? {}, 'reason'), timeZone);
	if (parts.length === 0) return error;
	// A long message may be cut off, so the important details come first: times, then IDs and
	// numbers.
	const said = parts.sort(([one], [other]) => one - other).map(([, text]) => text);
	return withFindings(error, { found: [{ kind: 'serviceSays', details: said }] });
}

/** Times have the lowest weight and come first. Prose has the highest. */
type Detail = [weight: number, text: string];

function describeDetails(record: JsonRecord, timeZone: string): Detail[] {
	return Object.entries(record).flatMap(([field, value]): Detail[] => {
		const within = isRecord(value) ? describeDetails(value, timeZone) : detailOf(value, timeZone);
		return within.map(([weight, text]) => [weight, `${field.replace(/_/g, ' ')} ${text}`]);
	});
}

function detailOf(value: unknown, timeZone: string): Detail[] {
	if (typeof value === 'number') return [[1, String(value)]];
	if (typeof value !== 'string') return [];
	const time = INSTANT.test(value) ? shownTime(Date.parse(value), { timeZone }) : undefined;
	return time === undefined ? [[/\s/.test(value) ? 2 : 1, JSON.stringify(value)]] : [[0, time]];
}

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}\S*(?:Z|[+-]\d{2}:\d{2})$/;
