import type { JsonRecord } from '../api/schemas';
import type { Values } from '../parameters/values';
import { parameter, textParameter } from './parameter';

export const hasEmailFilter = parameter('hasEmail', {
	type: 'boolean',
	default: true,
	description: 'Whether to return only leads with an email address, or only those without one',
});

export const hasEmailQuery = (filters: Values): JsonRecord =>
	filters.has('hasEmail') ? { has_email: filters.flag('hasEmail') } : {};

export const sourceFilter = textParameter('source', {
	placeholder: 'e.g. comment',
	description:
		'Where the activity came from. The service does not document the allowed values; "comment" is one.',
});

export const sourceQuery = (filters: Values): JsonRecord => {
	const source = filters.optionalText('source');
	return source === undefined ? {} : { source: source.trim() };
};
