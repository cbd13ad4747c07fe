/**
 * Describes each write, for errors that say which outcome is unknown and where the user can check
 * it. Reads have no description.
 */
import { isWrite, type EndpointName, type WriteName } from '../api/endpoints';

export interface WriteDescription {
	/** A noun: "… could not complete the update". */
	readonly what: string;
	/** A clause: "It is not known whether the post was updated." */
	readonly done: string;
	/** Where the outcome can be checked. Undefined if the write can simply be repeated. */
	readonly check?: string;
}

type Request = EndpointName | 'media.upload';

const write = (what: string, done: string, check?: string): WriteDescription => ({
	what,
	done,
	check,
});

const IN_DASHBOARD = 'The API does not show the outcome. Check the service dashboard';
const LOOK_AT_MAGNET = 'Check it with Lead Magnet > Get';
const OPEN_FILE = 'The API does not list files. Open the public URL of the file';
const lookFor = (where: string): string => `Look for it with ${where}`;
const isStillFound = (where: string): string => `Check whether ${where} still finds it`;

const fastResponse = (what: string, done: string): WriteDescription =>
	write(`the ${what} of Fast Response`, `Fast Response was ${done}`, IN_DASHBOARD);

const DESCRIPTIONS: Readonly<Record<WriteName | 'media.upload', WriteDescription>> = {
	'post.create': write(
		'the creation of the post',
		'the post was created',
		lookFor('Post > Get Many'),
	),
	'post.update': write('the update', 'the post was updated', 'Check the post with Post > Get'),
	'post.delete': write('the deletion', 'the post was deleted', isStillFound('Post > Get')),
	'post.startFastResponse': fastResponse('start', 'started'),
	'post.stopFastResponse': fastResponse('stop', 'stopped'),
	'leadMagnet.create': write(
		'the creation of the lead magnet',
		'the lead magnet was created',
		lookFor('Lead Magnet > Get Many'),
	),
	'leadMagnet.update': write('the update', 'the lead magnet was updated', LOOK_AT_MAGNET),
	'leadMagnet.archive': write(
		'the archiving of the lead magnet',
		'the lead magnet was archived',
		isStillFound('Lead Magnet > Get'),
	),
	'media.createUploadUrl': write('the creation of the upload URL', 'an upload URL was created'),
	'media.upload': write('the upload', 'the file was uploaded'),
	'media.delete': write('the deletion', 'the file was deleted', OPEN_FILE),
	'socialAction.create': write('the social action', 'the social action was created', IN_DASHBOARD),
	'networkOrganization.refresh': write('the refresh', 'the organizations were refreshed'),
};

/** Undefined for reads. */
export const writeDescriptionOf = (name: Request): WriteDescription | undefined =>
	name === 'media.upload' || isWrite(name) ? DESCRIPTIONS[name] : undefined;
