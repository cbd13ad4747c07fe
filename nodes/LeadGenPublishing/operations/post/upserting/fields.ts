/** Fields of Create or Update in addition to those of a new post. */
import { choices, parameter } from '../../../panel/fields/parameter';
import { readChoice } from '../../../panel/fields/requireResult';
import type { Values } from '../../../panel/parameters/values';
import type { Expected } from './decide';

export const expectedStatusOption = parameter('currentStatus', {
	type: 'options',
	options: [
		...choices({ draft: 'Change an existing post only if it is a draft' }),
		...choices({ published: 'Change an existing post only if it is published' }),
		{
			name: 'Read From Service',
			value: 'read',
			description:
				'Change an existing post regardless of its status, as far as the service allows it',
		},
		...choices({ scheduled: 'Change an existing post only if it is a draft or scheduled' }),
	],
	default: 'read',
	description:
		'Status that an existing post must have to be changed. Posts with another status fail if they differ from the item.',
});

export const readExpectedStatus = (options: Values): Expected =>
	readChoice(options, 'currentStatus', {
		choices: ['read', 'draft', 'scheduled', 'published'],
		fallback: 'read',
	});
