import type { INodeProperties } from 'n8n-workflow';

import { OWN_ACCOUNT, type Account } from '../../api/endpoints';
import type { Values } from '../parameters/values';
import { locator } from './locators';
import { parameter } from './parameter';

/** The account that a request is made for. Requests for a client never use the direct paths. */
export const accountFields: readonly INodeProperties[] = [
	parameter('actAs', {
		type: 'options',
		options: [
			{ name: 'Client', value: 'client', description: 'The account of a client of your agency' },
			{ name: 'Own Account', value: 'own', description: 'The account that the API key belongs to' },
		],
		default: 'own',
		description: 'Whose account to use',
		// Before the node runs, n8n drops parameters that the form hides, so an error is not possible.
		builderHint: {
			propertyHint:
				'Set it to "client" wherever "clientId" is given. Without it, n8n drops "clientId", and the node uses the own account.',
		},
	}),
	{
		...locator('clientId', {
			search: 'searchClients',
			description:
				'The client whose account to use. The ID is safer than the name, because a name can change.',
			hasName: true,
		}),
		displayOptions: { show: { actAs: ['client'] } },
	},
];

export const accountOf = (clientId: string | undefined): Account =>
	clientId === undefined ? OWN_ACCOUNT : { kind: 'client', clientId };

/** The client to act for; undefined for the own account. */
export function readClientId(input: Values): string | undefined {
	const isForClient =
		input.isStored('actAs') && input.choice('actAs', ['own', 'client']) === 'client';
	if (isForClient) {
		// Why no client has the name that the item gives.
		const given = input.raw('clientId');
		if (given instanceof Error) throw given;
		return input.uuid('clientId');
	}
	// The form hides the client when the own account is selected, but not when "Act As" is an expression.
	if (input.isExpression('actAs') && input.has('clientId'))
		throw input.fail(
			'actAs',
			'is "own", but "Client" is filled in',
			'Set "Act As" to "client" for this item, or leave "Client" empty.',
		);
	return undefined;
}
