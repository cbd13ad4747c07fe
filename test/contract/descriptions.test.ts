/** What n8n reads of the descriptions beside the parameters: codex files, hints for builders. */
import type { INodeProperties } from 'n8n-workflow';
import { validateNodeDescription } from 'n8n-core/dist/nodes-loader/validate-node-description';

import { LeadGenPublishing } from '../../nodes/LeadGenPublishing/LeadGenPublishing.node';
import { LeadGenPublishingTrigger } from '../../nodes/LeadGenPublishing/LeadGenPublishingTrigger.node';
import { RESOURCES } from '../../nodes/LeadGenPublishing/operations/index';
import { OUTPUT_SCHEMAS } from './outputSchemas';

const PACKAGE = 'n8n-nodes-leadgen-publishing';
const action = new LeadGenPublishing().description;
const trigger = new LeadGenPublishingTrigger().description;

describe.each([
	['action', action],
	['trigger', trigger],
])('the %s', (_, description) => {
	it('has hints for builders only where n8n reads them', () => {
		expect(() => validateNodeDescription(description)).not.toThrow();
		expect(description.builderHint?.searchHint).toMatch(/\S/);
	});

	it('names its sister by the type that n8n knows', () => {
		const [sister] = [action, trigger].filter((one) => one !== description);
		expect(description.builderHint?.relatedNodes?.map(({ nodeType }) => nodeType)).toEqual([
			`${PACKAGE}.${sister?.name}`,
		]);
	});
});

it('hints name parameters and values that exist', () => {
	const hint = `${action.builderHint?.searchHint} ${trigger.builderHint?.searchHint}`;
	const optionsOf = (fields: readonly INodeProperties[]) =>
		fields.flatMap(({ name, options }) => [
			name,
			...(options ?? []).map((option) => ('value' in option ? String(option.value) : '')),
		]);
	const known = [...optionsOf(action.properties), ...optionsOf(trigger.properties)];
	const named = [...hint.matchAll(/"(\w+)"|\b([a-z]+(?:[A-Z][a-z]+)+)\b|(\w+) > (\w+)/g)].flatMap(
		(match) => match.slice(1).filter((word) => word !== undefined),
	);
	expect(named.length).toBeGreaterThan(8);
	expect(named.filter((word) => !known.includes(word))).toEqual([]);
});

it('what is hidden from executions is what lets others act, and exists', () => {
	const { properties = {} } = OUTPUT_SCHEMAS['v1.0.0/media/createUploadUrl.json'] ?? {};
	expect(action.sensitiveOutputFields).toEqual(['upload_url', 'token']);
	expect(Object.keys(properties)).toEqual(expect.arrayContaining(['upload_url', 'token']));
	// n8n never reveals such a field again, so what workflows are there to move is not among them.
	const others = Object.entries(OUTPUT_SCHEMAS)
		.filter(([file]) => !file.endsWith('/createUploadUrl.json'))
		.flatMap(([, schema]) => Object.keys(schema.properties ?? {}));
	expect(others.filter((name) => action.sensitiveOutputFields?.includes(name))).toEqual([]);
});

it('every operation has a schema, and every schema an operation', () => {
	const expected = RESOURCES.flatMap(({ value, operations }) =>
		operations.map((operation) => `v1.0.0/${value}/${operation.value}.json`),
	);
	expect(Object.keys(OUTPUT_SCHEMAS).sort()).toEqual(['v1.0.0.json', ...expected].sort());
});
