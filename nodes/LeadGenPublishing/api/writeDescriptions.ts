/**
 * Describes what each write does: for errors that say which outcome is unknown, and where the user can
 * check it. Reads have no description.
 */
import type { EndpointName } from './endpoints';

export interface WriteDescription {
	/** A noun: "… could not complete the update". */
	readonly what: string;
	/** A clause: "It is not known whether the post was updated." */
	readonly done: string;
	/** Where the outcome can be seen; undefined if the write can simply be repeated. */
	readonly check?: string;
}

type Request = EndpointName | 'media.upload';

const write = (what: string, done: string, check?: string): WriteDescription => ({
	...{ what, done, check },
});

const IN_DASHBOARD = 'The API does not show it: look in the dashboard of the service';

const DESCRIPTIONS: Partial<Record<Request, WriteDescription>> = {
	'post.create': write('the new post', 'the post was created', 'Look for it with Post > Get Many'),
	'post.update': write('the update', 'the post was updated', 'Look at the post with Post > Get'),
	'post.delete': write(
		'the deletion',
		'the post was deleted',
		'Check whether Post > Get still finds it',
	),
	'post.startFastResponse': write(
		'the start of Fast Response',
		'Fast Response was started',
		IN_DASHBOARD,
	),
	'post.stopFastResponse': write(
		'the stop of Fast Response',
		'Fast Response was stopped',
		IN_DASHBOARD,
	),
	'leadMagnet.create': write(
		'the new lead magnet',
		'the lead magnet was created',
		'Look for it with Lead Magnet > Get Many',
	),
	'leadMagnet.update': write(
		'the update',
		'the lead magnet was updated',
		'Look at it with Lead Magnet > Get',
	),
	'leadMagnet.archive': write(
		'the archiving',
		'the lead magnet was archived',
		'Check whether Lead Magnet > Get still finds it',
	),
	'media.createUploadUrl': write('the upload address', 'an upload address was made'),
	'media.upload': write('the upload', 'the file was uploaded'),
	'media.delete': write(
		'the deletion',
		'the file was deleted',
		'The API does not show files: open its public URL',
	),
	'socialAction.create': write('the social action', 'the social action was created', IN_DASHBOARD),
	'networkOrganization.refresh': write('the refresh', 'the organizations were refreshed'),
};

/** Undefined for reads. */
export const writeDescriptionOf = (name: Request): WriteDescription | undefined =>
	DESCRIPTIONS[name];
