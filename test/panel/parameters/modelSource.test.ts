/** Who set a parameter, as the stored workflow shows it, and which parameters may differ by item. */
import {
	allFromModel,
	holdingExpressions,
	isTool,
	modelSourceOf,
} from '../../../nodes/LeadGenPublishing/panel/parameters/modelSource';
import {
	expressionsOfTemplate,
	joinedParts,
	isExpression,
} from '../../../nodes/LeadGenPublishing/parse/expressions';

type Functions = Parameters<typeof isTool>[0];
const node = (
	parameters: Record<string, unknown>,
	{
		type = 'n8n-nodes-leadgen-publishing.leadGenPublishing',
		tool,
	}: { type?: string; tool?: boolean } = {},
) =>
	({
		getNode: () => ({ type, parameters }),
		...(tool === undefined ? {} : { isToolExecution: () => tool }),
	}) as unknown as Functions;

const MODEL = 'comes from an AI model ($fromAI)';
const MAYBE = 'uses an expression, and in a tool a model could fill it in';
const STORED = {
	text: "={{ $fromAI('text') }}",
	other: "={{ $fromai('text') }}",
	status: '={{ $json.status }}',
	fixed: '$fromAI(1)',
	options: { notes: '=a {{ $FromAI("x") }}', list: ['a', '={{ $json.b }}'] },
};

it('a model fills in what names it, and in a tool perhaps every expression', () => {
	const paths = (functions: Functions) =>
		allFromModel(functions).map(({ path, source }) => [path.join('.'), source]);
	const named = [
		['text', MODEL],
		['other', MODEL],
		['options.notes', MODEL],
	];
	expect(paths(node(STORED))).toEqual(named);
	expect(paths(node(STORED, { tool: true }))).toEqual([
		...named.slice(0, 2),
		['status', MAYBE],
		['options.notes', MODEL],
		['options.list.1', MAYBE],
	]);
});

it.each([
	[{ type: 'n8n-nodes-x.leadGenPublishingTool' }, true],
	[{ type: 'n8n-nodes-x.toolbox' }, false],
	[{ type: 'n8n-nodes-x.myToolNode' }, false],
	[{ tool: true }, true],
	[{ tool: false }, false],
	[{}, false],
])('a node of %j is a tool: %p', (given, expected) => {
	expect(isTool(node({}, given))).toBe(expected);
});

it('an expression for a collection is one for each part of it, and one for a part for the whole', () => {
	const functions = node({
		options: '={{ $fromAI("o") }}',
		fields: { a: '={{ $fromAI("a") }}', b: 1 },
	});
	const sources = [
		['options', 'dryRun'],
		['options'],
		['fields'],
		['fields', 'a'],
		['fields', 'b'],
		['text'],
	];
	expect(sources.map((path) => modelSourceOf(functions, path))).toEqual([
		...[MODEL, MODEL, MODEL, MODEL, undefined, undefined],
	]);
});

it('parameters with an expression anywhere may differ from item to item', () => {
	expect([...holdingExpressions(STORED)]).toEqual(['text', 'other', 'status', 'options']);
	expect([...holdingExpressions({ a: 1, b: null, c: ['x'] })]).toEqual([]);
});

it.each([
	['={{ 1 }}', true],
	['=', true],
	[' ={{ 1 }}', false],
	['a = b', false],
	[7, false],
	[null, false],
])('%j is an expression: %p', (stored, expected) => {
	expect(isExpression(stored)).toBe(expected);
});

it.each<[template: string, expressions: string[]]>([
	['no expression', []],
	['{{ $json.a }}', ['{{ $json.a }}']],
	['a-{{ 1 }}-{{ 2 }}', ['{{ 1 }}', '{{ 2 }}']],
	['{{ {a: {b: 1}} }}', ['{{ {a: {b: 1}}']],
	['\\{{ 1 }} {{ 2 }}', ['{{ 2 }}']],
	['{{ "\\}}" }}', ['{{ "\\}}" }}']],
	['\\{{ 1 }}', []],
	['{{ 1', []],
	['1 }} {{ 2', []],
])('of the template %j, n8n evaluates %j', (template, expressions) => {
	expect(expressionsOfTemplate(template)).toEqual(expressions);
});

it.each<[expression: string, parts: string[]]>([
	["{{ 'row' + $json.id }}", ['{{ $json.id }}']],
	['{{ $json.a + " - " + $json.b }}', ['{{ $json.a }}', '{{ $json.b }}']],
	["{{ 'k' + ($json.n * 2) }}", ['{{ ($json.n * 2) }}']],
	['{{ `row-${$json.id}-${$json.n + 1}` }}', ['{{ $json.id }}', '{{ $json.n + 1 }}']],
	["{{ 'a' + `${ `${$json.b}` }` }}", ['{{ `${$json.b}` }}']],
	["{{ 'it\\'s + ' + $json?.id }}", ['{{ $json?.id }}']],
	['{{ [1 + 2, "+"].join("+") }}', ['{{ 1 + 2 }}']],
	["{{ ['row', $json.id].join('-') }}", ['{{ $json.id }}']],
	[
		'{{ [ $json.a ?? "", f($json.b, 1) ] .join( ) }}',
		['{{ $json.a ?? "" }}', '{{ f($json.b, 1) }}'],
	],
	['{{ [`k${$json.a}`,].join("-") }}', ['{{ $json.a }}']],
	['{{ [$json.a, $json.b].filter(Boolean).join("-") }}', []],
	['{{ [$json.a, $json.b].join("-").trim() }}', []],
	['{{ [$json.a, $json.b] }}', []],
	['{{ [$json.a, ( ].join("-") }}', []],
	['{{ $json.id }}', []],
	["{{ $json.a ? 'x' + $json.b : 'y' }}", []],
	["{{ $json.a ?? '' + $json.b }}", []],
	['{{ $json.n++ }}', []],
	["{{ 'a' + ( }}", []],
	["{{ 'a + $json.b }}", []],
])('%s joins %j', (expression, parts) => {
	expect(joinedParts(expression)).toEqual(parts);
});
