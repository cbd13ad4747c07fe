/**
 * Decisions that are reserved for people: what a tool does, whether anything is scheduled,
 * published or sent to the network, and whether a newer version may be overwritten. `delete.ts`
 * adds whether a published post may be deleted.
 */
import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { isWrite, type WriteName } from '../api/endpoints';
import { InputError } from '../api/failure';
import { isRecord, type JsonRecord } from '../api/schemas';
import { labelOf } from '../panel/parameters/labels';
import { allFromModel, modelSourceOf, type ModelSource } from '../panel/parameters/modelSource';
import type { Values } from '../panel/parameters/values';
import type { BoundApi, ItemCall } from '../item/itemCall';
import type { Operation } from './operation';

const MODEL_MAY_PUBLISH = 'modelMayPublish';

/** The option with which a person lets an AI model do more than write drafts. */
export const modelMayPublishOption: INodeProperties = {
	displayName: 'Model May Publish',
	name: MODEL_MAY_PUBLISH,
	type: 'boolean',
	default: false,
	description:
		'Whether an AI model may fill in content that is scheduled, published or sent to the network, not only drafts. No person checks it unless you add a human review before the tool. Must be a fixed value.',
	displayOptions: { show: { '@tool': [true] } },
	builderHint: {
		propertyHint:
			'Leave it out unless the user wants the agent to publish without asking. Never use $fromAI here.',
	},
};

interface Sent {
	readonly body: JsonRecord;
	/** The record as the service has it. */
	readonly current: () => Promise<JsonRecord>;
}

const never = () => false;
const always = () => true;
const isDraft = ({ status }: JsonRecord): boolean => status === 'draft';

/** Fields of a post or a lead magnet that nobody outside sees. */
const INTERNAL: ReadonlySet<string> = new Set(['notes', 'template_id', 'theme_id']);
const hasPublicField = ({ body }: Sent): boolean =>
	Object.keys(body).some((field) => !INTERNAL.has(field));

/**
 * Whether a request makes something public. A model may fill in a draft. Anything that others see
 * needs a person.
 */
const REACHES_PUBLIC: Readonly<Record<WriteName, (sent: Sent) => boolean | Promise<boolean>>> = {
	// It is not known what the service does with a post without a status.
	'post.create': ({ body }) => !isDraft(body),
	'post.update': async (sent) =>
		hasPublicField(sent) &&
		(!isDraft({ status: 'draft', ...sent.body }) || !isDraft(await sent.current())),
	'post.delete': never,
	'post.startFastResponse': never,
	'post.stopFastResponse': never,
	// A lead magnet is never a draft: people who react get its content.
	'leadMagnet.create': hasPublicField,
	'leadMagnet.update': hasPublicField,
	'leadMagnet.archive': never,
	'media.createUploadUrl': never,
	'media.delete': never,
	'socialAction.create': always,
	'networkOrganization.refresh': never,
};

/** Whether the operation may do something that only a person may decide. Then it has the option. */
export const mayLeaveDraft = ({ endpoints }: Pick<Operation, 'endpoints'>): boolean =>
	endpoints.some((name) => isWrite(name) && REACHES_PUBLIC[name] !== never);

const COLLECTIONS: ReadonlySet<string | undefined> = new Set([
	'additionalFields',
	'updateFields',
	'options',
]);
/**
 * Parameters without a public effect: fields that nobody outside sees, and how the node behaves.
 */
const STAYS_INSIDE: ReadonlySet<string | undefined> = new Set([
	'currentStatus',
	'dryRun',
	'dueTimeField',
	'etag',
	'fields',
	'idempotencyKey',
	'ifExists',
	'limit',
	'maxWaitSeconds',
	'notes',
	'output',
	'simplify',
	'templateId',
	'themeId',
	'uniqueKey',
]);
/** As a top-level parameter, it chooses the record that is changed. */
const FINDS_RECORD = 'uniqueKey';

/** The operation with a guard: it fails if a model would schedule or publish something. */
export function decidedByPerson(operation: Operation, functions: IExecuteFunctions): Operation {
	const { options }: JsonRecord = functions.getNode().parameters;
	const isAllowed = isRecord(options) && options[MODEL_MAY_PUBLISH] === true;
	// Whose account it is decides where something appears.
	const names = new Set([...operation.fields.map(({ name }) => name), 'actAs', 'clientId']);
	const found = allFromModel(functions).find(
		({ path: [name = '', inner] }) =>
			names.has(name) &&
			(name === FINDS_RECORD || !STAYS_INSIDE.has(COLLECTIONS.has(name) ? inner : name)),
	);
	if (found === undefined || isAllowed) return operation;
	const { run, resume } = operation;
	return {
		...operation,
		run: async (call) => await run({ ...call, api: guarded(call, found) }),
		resume: resume && (async (call) => await resume({ ...call, api: guarded(call, found) })),
	};
}

function guarded({ api }: ItemCall, found: ModelSource): BoundApi {
	const requireAllowed: BoundApi['requireAllowed'] = async (name, { body = {}, params } = {}) => {
		const current = async () => (await api.call('post.get', { params })).data;
		const reachesPublic = isWrite(name) && REACHES_PUBLIC[name]({ body, current });
		if (await reachesPublic) throw decidedByModel(found);
	};
	return {
		...api,
		requireAllowed,
		call: async (name, options) => {
			await requireAllowed(name, options);
			return await api.call(name, options);
		},
	};
}

function decidedByModel({ path: [name = '', inner], source }: ModelSource): InputError {
	const label = [name, ...(COLLECTIONS.has(name) && inner ? [inner] : [])].map(labelOf).join(' > ');
	return new InputError(
		`The parameter "${label}" ${source}, but only a person may decide what is scheduled, published or sent to the network`,
		`Enter "${label}" as a fixed value, or keep the post a draft. To leave it to the model, turn on the option "${labelOf(MODEL_MAY_PUBLISH)}" in the node itself.`,
		{ parameter: inner ?? name },
		'Nothing was sent',
	);
}

/** Only a person may allow overwriting a newer version that nobody has reviewed. */
export function requireOverwriteAllowedByPerson(
	{ functions }: Pick<ItemCall, 'functions'>,
	options: Values,
): void {
	const source = modelSourceOf(functions, ['options', 'onStaleVersion']);
	if (source === undefined) return;
	throw options.fail(
		'onStaleVersion',
		`would overwrite a newer version, but ${source}. Only a person may decide this`,
		'Choose "On Stale Version" in the node itself, as a fixed value, or remove it.',
		'Nothing was sent',
	);
}

/** The editor allows no expressions for resource and operation, but workflow JSON may have them. */
export function requireFixedOperation(functions: IExecuteFunctions): void {
	for (const name of ['resource', 'operation']) {
		const source = modelSourceOf(functions, [name]);
		if (source === undefined) continue;
		const label = labelOf(name);
		throw new InputError(
			`The parameter "${label}" ${source}, but only a person may choose what the node does`,
			`Choose "${label}" in the node itself, as a fixed value. For several operations, give the agent several tools.`,
			{ parameter: name },
			'Nothing was sent',
		);
	}
}
