/**
 * What a form offers and what workflows store of it, as one line of JSON for each operation or event
 * and parameter: names, types, defaults, choices, conditions, without the sentences. A new operation or
 * parameter only adds lines. `npm run docs` rewrites it.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { ICredentialType, INodeProperties, INodeType } from 'n8n-workflow';

import { LeadGenPublishingApi } from '../../credentials/LeadGenPublishingApi.credentials';
import type { Resource } from '../../nodes/LeadGenPublishing/operations/operation';
import { RESOURCES } from '../../nodes/LeadGenPublishing/operations/index';

const PAGE = join(__dirname, '..', '..', 'test', 'contract', 'form.jsonl');

/** Sentences may be put in other words at any time, but none may become empty. */
const SENTENCES = new Set(['action', 'description', 'hint', 'message', 'placeholder']);

export interface Form {
	readonly nodes: readonly INodeType[];
	readonly credential: ICredentialType;
	readonly resources: readonly Resource[];
}

export function linesOf({ nodes, credential, resources }: Form): string[] {
	const { properties, ...type } = credential;
	return [
		...nodes.flatMap(({ description: { properties: fields, subtitle: _, ...rest } }) => [
			lineOf(rest.name, rest),
			...fields.flatMap((field) => linesOfField(rest.name, field)),
		]),
		lineOf(type.name, type),
		...properties.flatMap((field) => linesOfField(type.name, field)),
		...resources.flatMap(({ value: resource, operations }) =>
			operations.map(({ value, kind, endpoints, repeatable }) =>
				lineOf(`${resource}.${value}`, { kind, endpoints, repeatable }),
			),
		),
	];
}

/** What the choice of a parameter is recorded for, so that it has lines of its own. */
const CHOOSING = ['resource', 'operation', 'event'];

/** Once for each operation or event that shows the parameter, and once for each member. */
function linesOfField(of: string, field: INodeProperties): string[] {
	const { displayOptions = {}, ...rest } = field;
	const { resource = [], operation, event, ...show } = displayOptions.show ?? {};
	const conditions =
		Object.keys(show).length > 0 ? { ...displayOptions, show } : hideOf(displayOptions);
	const shownFor =
		operation === undefined
			? [...resource, ...(event ?? [])]
			: resource.flatMap((one) => operation.map((other) => `${String(one)}.${String(other)}`));
	const owners = shownFor.length === 0 ? [of] : shownFor.map((one) => `${of} ${String(one)}`);
	return owners.flatMap((owner) =>
		linesWithMembers(owner, { path: field.name, field: { ...rest, displayOptions: conditions } }),
	);
}

const hideOf = ({ hide }: NonNullable<INodeProperties['displayOptions']>) =>
	hide === undefined ? undefined : { hide };

function linesWithMembers(
	of: string,
	{ path, field }: { path: string; field: INodeProperties },
): string[] {
	const { options = [], ...rest } = field;
	const isChoosing = CHOOSING.includes(path);
	const members = options.flatMap((option): Array<{ name: string; line: object }> => {
		if (isChoosing && 'value' in option) return [{ name: String(option.value), line: option }];
		return field.type === 'options' || field.type === 'multiOptions'
			? []
			: [{ name: option.name, line: option }];
	});
	if (members.length === 0) return [lineOf(of, { at: path, ...field })];
	return [
		lineOf(of, { at: path, ...rest }),
		...members.map(({ name, line }) => lineOf(of, { at: `${path}.${name}`, ...line })),
	];
}

const lineOf = (of: string, what: object): string =>
	JSON.stringify({ of, ...what }, (key, value: unknown) =>
		SENTENCES.has(key) && typeof value === 'string' && value !== '' ? undefined : value,
	);

export const readForm = (): string[] => readFileSync(PAGE, 'utf8').trimEnd().split('\n');

/** By its whole name: without it, `tsx` takes the codex file next to it. */
export function nodeIn(name: 'LeadGenPublishing' | 'LeadGenPublishingTrigger'): INodeType {
	const file = `../../nodes/LeadGenPublishing/${name}.node.ts`;
	const types = createRequire(__filename)(file) as Record<string, new () => INodeType>;
	const type = types[name];
	if (type === undefined) throw new Error(`${file} has no ${name}`);
	return new type();
}

export function writeForm(): void {
	const lines = linesOf({
		nodes: [nodeIn('LeadGenPublishing'), nodeIn('LeadGenPublishingTrigger')],
		credential: new LeadGenPublishingApi(),
		resources: RESOURCES,
	});
	writeFileSync(PAGE, `${lines.join('\n')}\n`);
}
