/** What both "Create or Update" operations share. */
export const CREATE_OR_UPDATE = {
	value: 'upsert',
	name: 'Create or Update',
	kind: 'write',
} as const;
