/**
 * What a form offers and what workflows store of it, as one line of JSON for each parameter: names,
 * types, defaults, choices, conditions, without the sentences. `npm run docs` rewrites it.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { ICredentialType, INodeType } from 'n8n-workflow';

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
		...nodes.flatMap(({ description: { properties: ofNode, ...rest } }) => [
			lineOf(rest.name, rest),
			...ofNode.map((field) => lineOf(rest.name, field)),
		]),
		lineOf(type.name, type),
		...properties.map((field) => lineOf(type.name, field)),
		...resources.flatMap(({ value: resource, operations }) =>
			operations.map(({ value, kind, endpoints, repeatable }) =>
				lineOf(`${resource}.${value}`, { kind, endpoints, repeatable }),
			),
		),
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
