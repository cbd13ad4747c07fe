/** Compares requests and responses with `docs/openapi.json`. */
import Ajv, { type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';

import { openApi } from '../../scripts/generate/openApi/document';
import type { Exchange } from '../../fake-service/watches';
import { etagHeaderOf, type Words } from '../../fake-service/words';

interface Parameter {
	name: string;
	in: 'path' | 'query' | 'header';
	required?: boolean;
	schema: object;
}
type Content = Record<string, { schema: object }>;
interface Operation {
	security?: unknown[];
	parameters: Array<Parameter | { $ref: string }>;
	requestBody?: { required: boolean; content: Content };
	responses: Record<string, { content?: Content } | { $ref: string }>;
}
export interface Description {
	paths: Record<string, Record<string, Operation>>;
	components: {
		parameters: Record<string, Parameter>;
		responses: Record<string, { content: Content }>;
		schemas: Record<string, object>;
	};
}

const DOCUMENT_KEY = 'openapi';

/** The differences from the description. */
export interface Deviations {
	readonly request: readonly string[];
	readonly answer: readonly string[];
}

export function openApiCheck(words: Words): (exchange: Exchange) => Deviations {
	const document = openApi() as unknown as Description;
	// Numbers and booleans of a query are sent as text.
	const ajv = new Ajv({ strict: false, allErrors: true, coerceTypes: false });
	const ajvOfQuery = new Ajv({ strict: false, coerceTypes: true });
	for (const one of [ajv, ajvOfQuery]) {
		addFormats(one);
		one.addSchema({ $id: DOCUMENT_KEY, components: document.components });
	}
	const compiled = new Map<object, ValidateFunction>();
	const validate = (with_: Ajv, schema: object, value: unknown): string[] => {
		let check = compiled.get(schema);
		if (check === undefined) {
			const text = JSON.stringify(schema).replaceAll('"#/', `"${DOCUMENT_KEY}#/`);
			check = with_.compile(JSON.parse(text) as object);
			compiled.set(schema, check);
		}
		return check(value)
			? []
			: (check.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
	};
	const parameterOf = (given: Parameter | { $ref: string }): Parameter =>
		'$ref' in given ? fromReference(document.components.parameters, given.$ref) : given;
	const places = Object.entries(document.paths).map(([path, operations]) => ({
		// The word for the network is left to the client to find out.
		pattern: patternOf(path.replace('/network/', '/{networkWord}/')),
		operations,
	}));

	return ({ request, envelope }) => {
		const { method, path, query, headers, body, json, status } = request;
		const place = places.find(({ pattern }) => pattern.test(path || '/'));
		const operation = place?.operations[method.toLowerCase()];
		const inExchange = (what: string) => `${method} ${path}: ${what}`;
		if (operation === undefined) return { request: [inExchange('not described')], answer: [] };
		const found: string[] = [];
		const parameters = operation.parameters.map(parameterOf);
		for (const [name, value] of Object.entries(query)) {
			const described = parameters.find((one) => one.in === 'query' && one.name === name);
			if (described === undefined) found.push(`the query has ${name}`);
			else found.push(...validate(ajvOfQuery, described.schema, value));
		}
		const isOpen = operation.security?.length === 0;
		if (isOpen && headers.authorization !== undefined) found.push('a key');
		const guards = [
			['idempotency-key', 'Idempotency-Key'],
			[etagHeaderOf(words), 'X-Svc-Post-ETag'],
		] as const;
		for (const [sent, described] of guards)
			if (headers[sent] !== undefined && !parameters.some(({ name }) => name === described))
				found.push(`the header ${described}`);
		const { requestBody, responses } = operation;
		if (body !== '') {
			if (requestBody === undefined) found.push('a body');
			else found.push(...validate(ajv, schemaOf(requestBody.content), json).map(inPart('body')));
		} else if (requestBody?.required === true) found.push('no body');
		const isGood = status !== null && status < 300;
		const answer = responses[isGood ? '2XX' : String(status)] ?? responses.default;
		if (answer === undefined) throw new Error(`Nothing is described for status ${status}`);
		const { content } =
			'$ref' in answer ? fromReference(document.components.responses, answer.$ref) : answer;
		const wrong = content === undefined ? [] : validate(ajv, schemaOf(content), envelope);
		return {
			request: found.map(inExchange),
			answer: wrong.map(inPart(`answer ${status}`)).map(inExchange),
		};
	};
}

const inPart = (part: string) => (what: string) => `${part}${what}`;
const schemaOf = (content: Content): object => content['application/json']?.schema ?? {};

function fromReference<T>(of: Record<string, T>, reference: string): T {
	const found = of[reference.split('/').at(-1) ?? ''];
	if (found === undefined) throw new Error(`Nothing is at ${reference}`);
	return found;
}

const patternOf = (path: string): RegExp =>
	new RegExp(`^${path.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{\w+\}/g, '[^/]+')}$`);
