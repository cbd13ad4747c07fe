/**
 * Who may import whom: `npm run imports`, over the package's own code. A room that has no line here
 * may import nothing, and nothing may import it.
 */
const HOME = '^nodes/LeadGenPublishing/';

/** Downwards only. `node` is what n8n loads. */
const MAY_IMPORT = {
	api: ['api'],
	parameters: ['api', 'parameters'],
	fields: ['api', 'fields', 'parameters'],
	output: ['api', 'output'],
	// Its words and rules are its own; of the operations it takes how they read what is stored.
	diagnose: ['api', 'diagnose', 'fields', 'parameters', 'stored'],
	operations: ['api', 'diagnose', 'fields', 'operations', 'output', 'parameters'],
	// Knows what an operation is; an operation does not know how it is run.
	run: ['api', 'fields', 'operations', 'output', 'parameters', 'run'],
	methods: ['api', 'methods'],
	watch: ['api', 'fields', 'output', 'parameters', 'watch'],
	credentials: ['api'],
	node: ['api', 'fields', 'methods', 'operations', 'run', 'watch'],
};

const pathOf = (room) =>
	({
		node: `${HOME}[^/]+[.]ts$`,
		watch: `${HOME}watch/[^/]+[.]ts$`,
		credentials: '^credentials/',
		stored: `${HOME}operations/(storedValue|post/keyMarker|post/published/state)[.]ts$`,
	})[room] ?? `${HOME}${room}/`;
const OURS = ['^nodes/', '^credentials/'];
const ROOMS = Object.keys(MAY_IMPORT).map(pathOf);

const OPERATIONS = `${HOME}operations/`;
/** The folders below `operations/` that several resources use. */
const SHARED = ['createOnce', 'pacing'];
const RESOURCE = `${OPERATIONS}(?!(?:${SHARED.join('|')})/)([^/]+)/`;

/** The poll itself: n8n and the service are handed to it, so that a simulation can play both. */
const pureWatch = {
	path: `${HOME}watch/(events|fingerprint|hash|list|poll|redelivery|reports|seen|settle|state)[.]ts$`,
};

const forbidden = (name, from, to) => ({ name, severity: 'error', from, to });

module.exports = {
	forbidden: [
		...Object.entries(MAY_IMPORT).map(([room, allowed]) =>
			forbidden(
				`${room} imports no more than ${allowed.join(', ')}`,
				{ path: pathOf(room) },
				{ path: OURS, pathNot: allowed.map(pathOf) },
			),
		),
		forbidden(
			'operations on one resource import nothing of another',
			{ path: RESOURCE },
			{ path: RESOURCE, pathNot: `${OPERATIONS}$1/` },
		),
		forbidden('every room has its line', { path: OURS, pathNot: ROOMS }, {}),
		forbidden(
			'no import goes round',
			{},
			{ circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
		),
		forbidden(
			'the pure part of watch takes only types, guards, IDs and the words from api',
			pureWatch,
			{
				path: pathOf('api'),
				pathNot: `${HOME}api/(identifiers|pageWalker|schemas|wire)[.]ts$`,
				dependencyTypesNot: ['type-only'],
			},
		),
		forbidden('the pure part of watch runs without n8n', pureWatch, {
			path: 'n8n-workflow',
			dependencyTypesNot: ['type-only'],
		}),
		// Judging is a function of the facts: n8n is not even reached through another file.
		forbidden(
			'the judge step of a diagnosis reaches no module of n8n',
			{ path: `${HOME}diagnose/(judge/|alive|facts|records)` },
			{ path: 'n8n-workflow', reachable: true },
		),
		forbidden(
			'the judge step of a diagnosis knows nothing of the collect step',
			{ path: `${HOME}diagnose/(judge/|alive|facts|records)` },
			{ path: `${HOME}diagnose/collect/` },
		),
		forbidden(
			'packages are only those that n8n lets a verified node have',
			{ path: OURS },
			{
				pathNot: [...OURS, '^(node_modules/)?(@types/)?(crypto|luxon|n8n-workflow|zod)(/|$)'],
			},
		),
	],
	options: {
		tsPreCompilationDeps: true,
		tsConfig: { fileName: 'tsconfig.json' },
		doNotFollow: { path: 'node_modules' },
	},
};
