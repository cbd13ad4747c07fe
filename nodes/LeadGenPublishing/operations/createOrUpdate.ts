/** What the operations that create or update have in common: n8n's own words for them. */
export const CREATE_OR_UPDATE = {
	value: 'upsert',
	name: 'Create or Update',
	description: 'Create a new record, or update the current one if it already exists (upsert)',
	kind: 'write',
} as const;
