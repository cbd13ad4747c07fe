/** All resources and operations, in the order of the form. */
import { endpoint } from '../api/endpoints';
import { InputError } from '../api/failure';
import { isBlank } from '../parameters/parse/jsonValues';
import { diagnose } from './account/diagnose/diagnose';
import { getApiInfo } from './account/getApiInfo';
import { getSubject } from './account/getSubject';
import { getAll as getActivity } from './activity/getAll';
import { get as getClient } from './client/get';
import { getAll as getClients } from './client/getAll';
import type { Operation, Resource } from './define';
import { getAll as getLeads } from './lead/getAll';
import { LEAD_MAGNET_OPERATIONS } from './leadMagnet/index';
import { MEDIA_OPERATIONS } from './media/index';
import { refresh as refreshOrganizations } from './networkOrganization/refresh';
import { POST_OPERATIONS } from './post/index';
import { nextFreeSlot } from './schedule/nextFreeSlot';
import { spread } from './schedule/spread';
import { create as createSocialAction } from './socialAction/create';

export const RESOURCES: readonly Resource[] = [
	{ value: 'account', name: 'Account', operations: [getApiInfo, getSubject, diagnose] },
	{ value: 'activity', name: 'Activity', operations: [getActivity] },
	{ value: 'client', name: 'Client', operations: [getClient, getClients] },
	{ value: 'lead', name: 'Lead', operations: [getLeads] },
	{ value: 'leadMagnet', name: 'Lead Magnet', operations: LEAD_MAGNET_OPERATIONS },
	{ value: 'media', name: 'Media', operations: MEDIA_OPERATIONS },
	{
		value: 'networkOrganization',
		name: 'Network Organization',
		operations: [refreshOrganizations],
	},
	{ value: 'post', name: 'Post', operations: POST_OPERATIONS },
	{ value: 'schedule', name: 'Schedule', operations: [nextFreeSlot, spread] },
	{ value: 'socialAction', name: 'Social Action', operations: [createSocialAction] },
];

/** Whether all that it asks for exists for the clients of an agency. */
export const isAgency = ({ endpoints }: Pick<Operation, 'endpoints'>): boolean =>
	endpoints.length > 0 && endpoints.every((name) => endpoint(name).agency);

export function findOperation(resource: unknown, operation: unknown): Operation {
	const found = RESOURCES.find(({ value }) => value === resource)?.operations.find(
		({ value }) => value === operation,
	);
	if (found === undefined) {
		if (isBlank(resource)) throw emptyParameter('Resource');
		if (isBlank(operation) && RESOURCES.some(({ value }) => value === resource))
			throw emptyParameter('Operation');
		throw new InputError(
			`The operation "${String(operation)}" of the resource "${String(resource)}" does not exist`,
			'Choose "Resource" and "Operation" from their lists.',
			{ parameter: 'operation' },
		);
	}
	return found;
}

const emptyParameter = (label: string) =>
	new InputError(`The parameter "${label}" is empty`, `Choose "${label}" from its list.`, {
		parameter: label.toLowerCase(),
	});
