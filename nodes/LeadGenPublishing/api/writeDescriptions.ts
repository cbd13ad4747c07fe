/**
 * Describes what each write does: for errors that say which outcome is unknown, and where the user can
 * check it. Reads have no description.
 */
import { endpoint, type EndpointName } from './endpoints';

export interface WriteDescription {
	/** A noun: "… could not complete the update". */
	readonly what: string;
	/** A clause: "It is not known whether the post was updated." */
	readonly done: string;
	/** Where the outcome can be seen; undefined if the write can simply be repeated. */
	readonly check?: string;
}

const IN_DASHBOARD = 'The API does not show it: look in the dashboard of the service';

const WRITE_DESCRIPTIONS = {
	'post.create': {
		what: 'the new post',
		done: 'the post was created',
		check: 'Look for it with Post > Get Many',
	},
	'post.update': {
		what: 'the update',
		done: 'the post was updated',
		check: 'Look at the post with Post > Get',
	},
	'post.delete': {
		what: 'the deletion',
		done: 'the post was deleted',
		check: 'Check whether Post > Get still finds it',
	},
	'post.startFastResponse': {
		what: 'the start of Fast Response',
		done: 'Fast Response was started',
		check: IN_DASHBOARD,
	},
	'post.stopFastResponse': {
		what: 'the stop of Fast Response',
		done: 'Fast Response was stopped',
		check: IN_DASHBOARD,
	},
	'leadMagnet.create': {
		what: 'the new lead magnet',
		done: 'the lead magnet was created',
		check: 'Look for it with Lead Magnet > Get Many',
	},
	'leadMagnet.update': {
		what: 'the update',
		done: 'the lead magnet was updated',
		check: 'Look at it with Lead Magnet > Get',
	},
	'leadMagnet.archive': {
		what: 'the archiving',
		done: 'the lead magnet was archived',
		check: 'Check whether Lead Magnet > Get still finds it',
	},
	'media.createUploadUrl': {
		what: 'the upload address',
		done: 'an upload address was made',
	},
	'media.upload': {
		what: 'the upload',
		done: 'the file was uploaded',
	},
	'media.delete': {
		what: 'the deletion',
		done: 'the file was deleted',
		check: 'The API does not show files: open its public URL',
	},
	'socialAction.create': {
		what: 'the social action',
		done: 'the social action was created',
		check: IN_DASHBOARD,
	},
	'networkOrganization.refresh': {
		what: 'the refresh',
		done: 'the organizations were refreshed',
	},
} as const satisfies Partial<Record<EndpointName | 'media.upload', WriteDescription>>;

/** Undefined for reads. */
export function writeDescriptionOf(
	name: EndpointName | 'media.upload',
): WriteDescription | undefined {
	if (name === 'media.upload' || endpoint(name).method !== 'GET')
		return (
			(WRITE_DESCRIPTIONS as Partial<Record<EndpointName | 'media.upload', WriteDescription>>)[
				name
			] ?? ANY
		);
	return undefined;
}

const ANY: WriteDescription = {
	what: 'the change',
	done: 'the change was carried out',
	check: IN_DASHBOARD,
};
