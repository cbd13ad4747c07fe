/** What both "Create or Update" operations share. The words are n8n's own. */
export const CREATE_OR_UPDATE = {
	value: 'upsert',
	name: 'Create or Update',
	description: 'Create a new record, or update the current one if it already exists (upsert)',
	kind: 'write',
} as const;
