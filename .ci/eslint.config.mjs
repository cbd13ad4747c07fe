import js from '@eslint/js';
import { n8nCommunityNodesPlugin } from '@n8n/eslint-plugin-community-nodes';
import n8nNodesPlugin from 'eslint-plugin-n8n-nodes-base';
import tseslint from 'typescript-eslint';

import plainEnglish from './plainEnglish.mjs';

// Our own rules, over all code. `eslint.config.mjs` in the root folder has to be n8n's own, unchanged:
// without it, n8n's tool calls the package not eligible for verification. `npm run lint` runs both.

/** What is published, and therefore what n8n reviews. */
const SHIPPED = ['nodes/**/*.ts', 'credentials/**/*.ts'];

/** Types have names, and properties are written down. */
const TYPES_AND_PROPERTIES = [
	{
		selector:
			'SpreadElement > :matches(ObjectExpression, ArrayExpression), ObjectExpression > SpreadElement > :matches(ConditionalExpression, LogicalExpression) > ObjectExpression',
		message: 'Write the properties or elements instead of spreading a literal.',
	},
	{
		selector:
			'ExportNamedDeclaration > TSTypeAliasDeclaration TSTypeReference[typeName.name="ReturnType"]',
		message: 'Export a type with a name of its own instead of what a function returns.',
	},
];

/** Four words or more. */
const SENTENCE = String.raw`/[A-Za-z]\S*\s+\S+\s+\S+\s+\S/`;

const nodeGlobals = Object.fromEntries(
	['Buffer', 'URL', '__dirname', 'console', 'performance', 'process', 'setTimeout'].map((name) => [
		name,
		'readonly',
	]),
);

export default tseslint.config(
	{ ignores: ['dist/', 'coverage/', '.cache/', '.demo/', 'scripts/n8n/host/'] },

	// n8n's scanner ignores inline directives. So do we: a rule is met, or argued with here.
	{ linterOptions: { noInlineConfig: true, reportUnusedDisableDirectives: 'error' } },

	// All code.
	{
		files: ['**/*.{ts,js,cjs,mjs}'],
		extends: [js.configs.recommended, tseslint.configs.recommended],
		rules: { '@typescript-eslint/no-explicit-any': 'error' },
	},

	// The package as n8n sees it: the same rules as its own tooling and its package scanner.
	{
		files: [...SHIPPED, 'package.json'],
		extends: [n8nCommunityNodesPlugin.configs.recommended],
		plugins: { 'n8n-nodes-base': n8nNodesPlugin },
	},
	{ files: SHIPPED, rules: { 'no-console': 'error' } },
	{
		files: ['package.json'],
		languageOptions: { parser: tseslint.parser },
		rules: n8nNodesPlugin.configs.community.rules,
	},
	{
		files: ['credentials/**/*.ts'],
		rules: {
			...n8nNodesPlugin.configs.credentials.rules,
			// Asks for a camel-cased page name on docs.n8n.io, which only n8n's own credentials have.
			'n8n-nodes-base/cred-class-field-documentation-url-miscased': 'off',
			// Goes by the field's name; @n8n/community-nodes/credential-password-field is more precise.
			'n8n-nodes-base/cred-class-field-type-options-password-missing': 'off',
		},
	},
	{
		files: ['nodes/**/*.ts'],
		rules: {
			...n8nNodesPlugin.configs.nodes.rules,
			// These two know only the literal 'main', not NodeConnectionTypes.Main, its typed name.
			'n8n-nodes-base/node-class-description-inputs-wrong-regular-node': 'off',
			'n8n-nodes-base/node-class-description-outputs-wrong': 'off',
			// Forbids maxValue; a limit that the service itself sets is worth showing.
			'n8n-nodes-base/node-param-type-options-max-value-present': 'off',
		},
	},
	// What people read is plain English: strings and comments.
	{
		files: [...SHIPPED, 'scripts/**/*.ts', 'fake-service/**/*.{ts,js}'],
		plugins: { 'plain-english': plainEnglish },
		rules: { 'plain-english/habits': 'error' },
	},
	{
		files: SHIPPED,
		rules: {
			'no-restricted-syntax': ['error', ...TYPES_AND_PROPERTIES],
		},
	},

	// The API client returns kinds and reasons. `words/` has the sentences. Errors that only a
	// programmer sees may say what is wrong.
	{
		files: ['nodes/LeadGenPublishing/api/**/*.ts'],
		rules: {
			'no-restricted-syntax': [
				'error',
				...TYPES_AND_PROPERTIES,
				{
					selector: `:matches(Literal[value=${SENTENCE}], TemplateElement[value.raw=${SENTENCE}]):not(NewExpression[callee.name=/^(Route)?Error$/] *):not(CallExpression[callee.name="setOf"] *)`,
					message: 'Return a kind or a reason, and put the sentence into `words/`.',
				},
			],
		},
	},

	// Tests and the build: ordinary programs for Node.
	{
		files: [
			'scripts/**',
			'test/**',
			'night/**',
			'fake-service/**',
			'gulpfile.js',
			'*.mjs',
			'**/*.cjs',
		],
		languageOptions: { globals: nodeGlobals },
		// `const { left, ...rest } = record` leaves a field out; n8n's own rules do not allow it above.
		rules: { '@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true }] },
	},
	// What a browser runs.
	{
		files: ['fake-service/page/*.js'],
		languageOptions: {
			globals: { document: 'readonly', fetch: 'readonly', setInterval: 'readonly' },
		},
	},
	{
		files: ['gulpfile.js', '**/*.cjs'],
		languageOptions: { sourceType: 'commonjs' },
		// CommonJS has no other way to load a module.
		rules: { '@typescript-eslint/no-require-imports': 'off' },
	},
);
