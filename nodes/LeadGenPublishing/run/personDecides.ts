/**
 * Decisions that are reserved for people: what a tool does, and what people outside see. Each
 * operation says what it can change that people outside see (`outside`). `delete.ts` adds whether a
 * published post may be deleted.
 */
import type { IExecuteFunctions } from 'n8n-workflow';

import { isWrite, type EndpointName } from '../api/endpoints';
import { InputError } from '../words/inputError';
import { isRecord, type JsonRecord } from '../api/schemas';
import type { BoundApi } from '../item/itemCall';
import type { Operation, Outside, ItemCall } from '../operations/operation';
import { MODEL_MAY_PUBLISH } from '../panel/fields/modelMayPublish';
import { fieldNameOf } from '../panel/parameters/bodyFromFields';
import { labelOf } from '../panel/parameters/labels';
import { allFromModel, modelSourceOf, type ModelSource } from '../panel/parameters/modelSource';
import { isInternal } from '../writes/posts/postFields';

const COLLECTIONS: ReadonlySet<string | undefined> = new Set([
	'additionalFields',
	'updateFields',
	'options',
]);
/** Parameters that only say how the node behaves, or how it recognizes a record. */
const OF_THE_NODE: ReadonlySet<string> = new Set([
	// Checked by `delete.ts`.
	'confirmPublished',
	'currentStatus',
	'dryRun',
	'dueTimeField',
	'etag',
	'fields',
	'idempotencyKey',
	'ifExists',
	'limit',
	'maxWaitSeconds',
	'output',
	'simplify',
	'uniqueKey',
]);
/** As a top-level parameter, it chooses the record that is changed. */
const FINDS_RECORD = 'uniqueKey';

/** Fields under the service's own names may do anything, so a model never fills them in. */
const UNKNOWN_FIELDS = [['options', 'customFields'], ['body']] as const;

/**
 * The operation with a guard: it fails if a model would change what people outside see. Throws if that
 * is certain, before anything is requested.
 */
export function decidedByPerson(operation: Operation, functions: IExecuteFunctions): Operation {
	if (operation.kind !== 'write' || isAllowedByPerson(functions)) return operation;
	const { outside = { kind: 'always', what: 'anything' } } = operation;
	const unknown = unknownFromModel(operation, functions);
	const found = unknown ?? decidingFromModel(operation, functions);
	if (found === undefined) return operation;
	if (unknown !== undefined || outside.kind === 'always') throw decidedByModel(found, outside);
	const { run, resume } = operation;
	const guardedCall = (call: ItemCall): ItemCall =>
		outside.kind === 'nothing' ? call : { ...call, api: guarded(call, found, outside) };
	return {
		...operation,
		run: async (call) => await run(guardedCall(call)),
		resume: resume && (async (call) => await resume(guardedCall(call))),
	};
}

/** A fixed value of the node. "Delete Even If Published" allows more than deleting what is not. */
function isAllowedByPerson(functions: IExecuteFunctions): boolean {
	const { options, confirmPublished }: JsonRecord = functions.getNode().parameters;
	return confirmPublished === true || (isRecord(options) && options[MODEL_MAY_PUBLISH] === true);
}

function unknownFromModel(
	{ fields }: Operation,
	functions: IExecuteFunctions,
): ModelSource | undefined {
	for (const path of UNKNOWN_FIELDS) {
		const isOffered = fields.some(({ name }) => name === path[0]);
		const source = isOffered ? modelSourceOf(functions, path) : undefined;
		if (source !== undefined) return { path, source };
	}
	return undefined;
}

/** Whether a parameter has no effect that people outside see. */
const staysInside = (name = ''): boolean => OF_THE_NODE.has(name) || isInternal(fieldNameOf(name));

function decidingFromModel(
	{ fields }: Operation,
	functions: IExecuteFunctions,
): ModelSource | undefined {
	// Whose account it is decides where something appears.
	const names = new Set([...fields.map(({ name }) => name), 'actAs', 'clientId']);
	return allFromModel(functions).find(
		({ path: [name = '', inner] }) =>
			names.has(name) &&
			(name === FINDS_RECORD || !staysInside(COLLECTIONS.has(name) ? inner : name)),
	);
}

function guarded({ api }: ItemCall, found: ModelSource, outside: Outside): BoundApi {
	const requireAllowed: BoundApi['requireAllowed'] = (name, known) => {
		if (leavesDraft(name, known) === true) throw decidedByModel(found, outside);
	};
	return {
		...api,
		requireAllowed,
		call: async (name, options = {}) => {
			const { body = {}, params } = options;
			const dependsOnPost = leavesDraft(name, { body }) === 'dependsOnPost';
			const current = dependsOnPost ? (await api.call('post.get', { params })).data : undefined;
			requireAllowed(name, { body, current });
			return await api.call(name, options);
		},
	};
}

const isDraft = ({ status }: JsonRecord): boolean => status === 'draft';

/** Whether a request changes a post that is more than a draft, or makes it more than a draft. */
function leavesDraft(
	name: EndpointName,
	{ body, current }: { body: JsonRecord; current?: JsonRecord },
): boolean | 'dependsOnPost' {
	// It is not known what the service does with a post without a status.
	if (name === 'post.create') return !isDraft(body);
	if (name === 'post.delete' || name === 'post.update') {
		const isUpdate = name === 'post.update';
		if (isUpdate && Object.keys(body).every(isInternal)) return false;
		if (isUpdate && !isDraft({ status: 'draft', ...body })) return true;
		return current === undefined ? 'dependsOnPost' : !isDraft(current);
	}
	// Uploads that belong to the post.
	return isWrite(name) && name !== 'media.createUploadUrl' && name !== 'media.delete';
}

function decidedByModel({ path: [name = '', inner], source }: ModelSource, outside: Outside) {
	const label = [name, ...(COLLECTIONS.has(name) && inner ? [inner] : [])].map(labelOf).join(' > ');
	const orDraft = outside.kind === 'unlessDraft' ? ', or keep the post a draft' : '';
	return new InputError(
		`The parameter "${label}" ${source}, but only a person may decide about changes that others can see`,
		`Enter "${label}" as a fixed value${isUnknown(name, inner) ? ', or remove it' : orDraft}. To let the model decide, turn on the option "${labelOf(MODEL_MAY_PUBLISH)}" in the node itself.`,
		{ parameter: inner ?? name },
		'Nothing was sent',
	);
}

const isUnknown = (name: string, inner: string | undefined): boolean =>
	UNKNOWN_FIELDS.some(([first, second]) => first === name && second === inner);

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
