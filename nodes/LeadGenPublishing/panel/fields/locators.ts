import type { INodeProperties } from 'n8n-workflow';

import type { LocatorName } from '../parameters/idInAddress';
import type { LISTS } from '../lists/listSearch';
import { labelOf } from '../parameters/labels';
import { parameter } from './parameter';

/** A record that is picked from a searchable list, or given by its URL or ID. */
export function locator(
	name: LocatorName,
	{
		search,
		description,
		hasName = false,
	}: { search: keyof typeof LISTS; description: string; hasName?: boolean },
): INodeProperties {
	return parameter(name, {
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		required: true,
		description,
		builderHint: {
			propertyHint:
				'For an ID from an earlier node, use mode "id" with an expression. Clients have it in user_id, posts and lead magnets in id. Prefer the ID of a client to its name.',
		},
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: `Select a ${labelOf(name).toLowerCase()}…`,
				typeOptions: { searchListMethod: search, searchable: true, searchFilterRequired: false },
			},
			{
				displayName: 'By URL',
				name: 'url',
				type: 'string',
				placeholder: 'e.g. https://api.example.com/…/6f1c2f0e-7d4b-4a53-9d53-0c1f0a6c1b11',
				// No `extractValue`, which is a pattern, too (see below). `idInAddress` finds the right ID.
			},
			{
				displayName: 'By ID',
				name: 'id',
				type: 'string',
				placeholder: 'e.g. 6f1c2f0e-7d4b-4a53-9d53-0c1f0a6c1b11',
				// No `validation` by a pattern: n8n matches it under a time limit, and on a busy machine that
				// keeps whole workflows from starting. `Values.uuid` checks the ID, with a better message.
			},
			// Compared in `clientByName.ts`.
			...(hasName
				? [
						{
							displayName: 'By Name',
							name: 'name',
							type: 'string' as const,
							placeholder: 'e.g. Ada Marlowe',
						},
					]
				: []),
		],
	});
}

export const postLocator = locator('postId', {
	search: 'searchPosts',
	description: 'The post to use. The list shows posts of the account in "Act As".',
});

export const leadMagnetLocator = locator('leadMagnetId', {
	search: 'searchLeadMagnets',
	description:
		'The lead magnet to use. The list shows the lead magnets of the account in "Act As", except archived ones.',
});
