/** All resources and operations, in the order of the form. */
import { endpoint } from '../api/endpoints';
import { InputError } from '../words/inputError';
import { isBlank } from '../parse/jsonValues';
import { diagnose } from './account/diagnose';
import { getApiInfo } from './account/getApiInfo';
import { getSubject } from './account/getSubject';
import { getAllActivity } from './activity/getAll';
import { getClient } from './client/get';
import { getAllClients } from './client/getAll';
import type { Operation, Resource } from './operation';
import { getAllLeads } from './lead/getAll';
import { archiveLeadMagnet } from './leadMagnet/archive';
import { createLeadMagnet } from './leadMagnet/create';
import { getLeadMagnet } from './leadMagnet/get';
import { getAllLeadMagnets } from './leadMagnet/getAll';
import { getAnalytics } from './leadMagnet/getAnalytics';
import { updateLeadMagnet } from './leadMagnet/update';
import { upsertLeadMagnet } from './leadMagnet/upsert';
import { createUploadUrl } from './media/createUploadUrl';
import { deleteMedia } from './media/delete';
import { upload } from './media/upload';
import { refresh } from './networkOrganization/refresh';
import { createPost } from './post/create';
import { deletePost } from './post/delete';
import { getPost } from './post/get';
import { getAllPosts } from './post/getAll';
import { getEngagement } from './post/getEngagement';
import { startFastResponse } from './post/startFastResponse';
import { stopFastResponse } from './post/stopFastResponse';
import { updatePost } from './post/update';
import { upsertPost } from './post/upsert';
import { nextFreeSlot } from './schedule/nextFreeSlot';
import { spread } from './schedule/spread';
import { createSocialAction } from './socialAction/create';

export const RESOURCES: readonly Resource[] = [
	{ value: 'account', name: 'Account', operations: [getApiInfo, getSubject, diagnose] },
	{ value: 'activity', name: 'Activity', operations: [getAllActivity] },
	{ value: 'client', name: 'Client', operations: [getClient, getAllClients] },
	{ value: 'lead', name: 'Lead', operations: [getAllLeads] },
	{
		value: 'leadMagnet',
		name: 'Lead Magnet',
		operations: [
			archiveLeadMagnet,
			createLeadMagnet,
			upsertLeadMagnet,
			getLeadMagnet,
			getAllLeadMagnets,
			getAnalytics,
			updateLeadMagnet,
		],
	},
	{ value: 'media', name: 'Media', operations: [createUploadUrl, deleteMedia, upload] },
	{ value: 'networkOrganization', name: 'Network Organization', operations: [refresh] },
	{
		value: 'post',
		name: 'Post',
		operations: [
			createPost,
			upsertPost,
			deletePost,
			getPost,
			getAllPosts,
			getEngagement,
			startFastResponse,
			stopFastResponse,
			updatePost,
		],
	},
	{ value: 'schedule', name: 'Schedule', operations: [nextFreeSlot, spread] },
	{ value: 'socialAction', name: 'Social Action', operations: [createSocialAction] },
];

/** Whether all its endpoints also exist for the clients of an agency. */
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
