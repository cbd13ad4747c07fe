/** All resources and operations, in the order of the form. */
import { endpoint } from '../api/endpoints';
import { InputError } from '../api/failure';
import { isBlank } from '../parameters/parse/jsonValues';
import { diagnose } from './account/diagnose';
import { getApiInfo } from './account/getApiInfo';
import { getSubject } from './account/getSubject';
import { getAll as getActivity } from './activity/getAll';
import { get as getClient } from './client/get';
import { getAll as getClients } from './client/getAll';
import type { Operation, Resource } from './operation';
import { getAll as getLeads } from './lead/getAll';
import { archive as archiveMagnet } from './leadMagnet/archive';
import { create as createMagnet } from './leadMagnet/create';
import { get as getMagnet } from './leadMagnet/get';
import { getAll as getMagnets } from './leadMagnet/getAll';
import { getAnalytics } from './leadMagnet/getAnalytics';
import { update as updateMagnet } from './leadMagnet/update';
import { upsertMagnet } from './leadMagnet/upsert';
import { createUploadUrl } from './media/createUploadUrl';
import { deleteMedia } from './media/delete';
import { upload } from './media/upload';
import { refresh } from './networkOrganization/refresh';
import { create as createPost } from './post/create';
import { deletePost } from './post/delete';
import { get as getPost } from './post/get';
import { getAll as getPosts } from './post/getAll';
import { getEngagement } from './post/getEngagement';
import { startFastResponse } from './post/startFastResponse';
import { stopFastResponse } from './post/stopFastResponse';
import { update as updatePost } from './post/update';
import { upsertPost } from './post/upsert';
import { nextFreeSlot } from './schedule/nextFreeSlot';
import { spread } from './schedule/spread';
import { create as createSocialAction } from './socialAction/create';

export const RESOURCES: readonly Resource[] = [
	{ value: 'account', name: 'Account', operations: [getApiInfo, getSubject, diagnose] },
	{ value: 'activity', name: 'Activity', operations: [getActivity] },
	{ value: 'client', name: 'Client', operations: [getClient, getClients] },
	{ value: 'lead', name: 'Lead', operations: [getLeads] },
	{
		value: 'leadMagnet',
		name: 'Lead Magnet',
		operations: [
			archiveMagnet,
			createMagnet,
			upsertMagnet,
			getMagnet,
			getMagnets,
			getAnalytics,
			updateMagnet,
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
			getPosts,
			getEngagement,
			startFastResponse,
			stopFastResponse,
			updatePost,
		],
	},
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
