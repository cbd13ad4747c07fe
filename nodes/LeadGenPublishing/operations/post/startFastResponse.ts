import { ASSUMED_FIELDS } from '../../api/assumptions';
import { ApiFailure } from '../../api/failure';
import { outcomeOf } from '../../api/outcome';
import { isRecord, type JsonRecord } from '../../api/schemas';
import { readCustomFields, withCustomFields } from '../../fields/customFields';
import { postLocator } from '../../fields/locators';
import { keyFromUnique } from '../../fields/retrySafety';
import { uniqueKeyOption } from '../../fields/uniqueKey';
import type { Values } from '../../parameters/values';
import { defineOperation } from '../define';
import { sharedKeys } from '../sharedKeys';
import {
	DURATION,
	INTERVAL,
	minutesField,
	SERVICE_DEFAULT,
	type MinutesField,
} from './minutesFields';
import { without } from '../../api/without';

export const startFastResponse = defineOperation({
	value: 'startFastResponse',
	name: 'Start Fast Response',
	action: 'Start fast response on post',
	description: 'Start a temporary boost of a scheduled or published post',
	kind: 'write',
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
			'A value that only this start has, such as the ID of a row. By it the service notices when the same start is sent again.',
		),
	],
	planBatch: (inputs, { stored }) => ({
		errors: sharedKeys(inputs, stored, (input) => ({
			place: input.uuid('postId'),
			content: () => bodyOf(input),
		})),
	}),
	run: async ({ api, input, stableKey }) => {
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
		if (failure !== undefined) throw withReservedWindow(failure);
		return answer.data;
	},
});

function bodyOf(input: Values): JsonRecord {
	const interval = readMinutes(input, INTERVAL);
	const duration = readMinutes(input, DURATION);
	return withCustomFields(
		{
			...(interval === undefined ? {} : { [ASSUMED_FIELDS.fastResponseInterval]: interval }),
			...(duration === undefined ? {} : { [ASSUMED_FIELDS.fastResponseDuration]: duration }),
		},
		readCustomFields(input),
	);
}

function readMinutes(input: Values, { name, values: allowed }: MinutesField): number | undefined {
	const text = input.optionalText(name)?.trim();
	if (text === undefined || text === SERVICE_DEFAULT) return undefined;
	const value = Number(text);
	if (allowed.includes(value)) return value;
	throw input.fail(
		name,
		`must be one of ${allowed.join(', ')}`,
		'The service allows no other values.',
	);
}

/** The API document does not show the fields of the window, so all details are shown. */
function withReservedWindow(error: ApiFailure): ApiFailure {
	const { facts } = error;
	if (facts.reason !== 'boost_window_conflict') return error;
	const parts = describeDetails(without(facts.serviceDetails ?? {}, 'reason'));
	if (parts.length === 0) return error;
	return new ApiFailure({ ...facts, found: `The service says about it: ${parts.join(', ')}.` });
}

function describeDetails(record: JsonRecord): string[] {
	return Object.entries(record).flatMap(([name, value]) => {
		if (isRecord(value)) return describeDetails(value).map((part) => `${name} ${part}`);
		if (typeof value !== 'string' && typeof value !== 'number') return [];
		return [
			`${name.replace(/_/g, ' ')} ${typeof value === 'string' ? JSON.stringify(value) : value}`,
		];
	});
}
