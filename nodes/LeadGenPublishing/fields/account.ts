import type { INodeProperties } from 'n8n-workflow';

import { InputError } from '../api/failure';
import { OWN_ACCOUNT, type Account } from '../api/route';
import { locator } from './locators';
import type { Values } from './values';

/** For whom the request is made. Client work never goes through the direct paths. */
export const accountFields: readonly INodeProperties[] = [
	{
		displayName: 'Act As',
		name: 'actAs',
		type: 'options',
		options: [
			{ name: 'Client', value: 'client', description: 'The account of a client of your agency' },
			{ name: 'Own Account', value: 'own', description: 'The account that the API key belongs to' },
		],
		default: 'own',
		description: 'Whose account to work on',
	},
	{
		...locator({
			displayName: 'Client',
			name: 'clientId',
			search: 'searchClients',
			description: 'The client of your agency to work for',
		}),
		displayOptions: { show: { actAs: ['client'] } },
	},
];

export function readAccount(input: Values): Account {
	const actAs = input.optionalText('actAs') ?? 'own';
	if (actAs === 'own') return OWN_ACCOUNT;
	if (actAs !== 'client') {
		throw new InputError(
			'The parameter "Act As" must be own or client',
			'Choose "Own Account" or "Client".',
			{ parameter: 'actAs' },
		);
	}
	return { kind: 'client', clientId: input.uuid('clientId') };
}
