/**
 * Who may import whom: `npm run lint`. A room that has no line here may import nothing, and nothing
 * may import it. No import goes round, in the fake service and the scripts neither.
 */
const HOME = '^nodes/LeadGenPublishing/';

/** Downwards only. `node` is what n8n loads. */
const MAY_IMPORT = {
	api: ['api'],
	// Reads what people and services write: dates, clocks, lists, JSON.
	parse: ['api', 'parse'],
	// What failures are called. It looks up what they mean, and nothing in `api` reads it.
	words: ['api', 'records', 'words'],
	// What people see, enter and get.
	panel: ['api', 'n8n', 'panel', 'parse', 'planning', 'records', 'words'],
	// How a stored record is read, for both nodes: what it shows, and what recognizes it.
	records: ['api', 'parse', 'records'],
	item: ['api', 'item', 'panel', 'parse', 'records', 'words'],
	diagnose: ['api', 'diagnose', 'panel', 'parse', 'records', 'words'],
	// When something happens: slots, spread, pacing.
	planning: ['api', 'parse', 'planning', 'records', 'words'],
	// Knows no operation: what runs is handed to it.
	writes: ['api', 'item', 'panel', 'parse', 'records', 'words', 'writes'],
	operations: [
		'api',
		'diagnose',
		'item',
		'n8n',
		'operations',
		'panel',
		'parse',
		'planning',
		'records',
		'words',
		'writes',
	],
	// Knows what an operation is; an operation does not know how it is run.
	run: ['api', 'item', 'n8n', 'operations', 'panel', 'parse', 'run', 'words', 'writes'],
	// A poll: n8n and the service are handed to it, so that a simulation can play both.
	feed: ['feed', 'records'],
	watch: ['api', 'feed', 'n8n', 'panel', 'parse', 'records', 'watch', 'words'],
	credentials: ['api', 'n8n', 'words'],
	// What the pure rooms need of n8n: its HTTP helper, its storage, its files and its errors.
	n8n: ['api', 'n8n', 'panel', 'planning', 'words', 'writes'],
	node: ['api', 'operations', 'panel', 'run', 'watch'],
};

const pathOf = (room) =>
	({
		node: `${HOME}[^/]+[.]ts$`,
		watch: `${HOME}watch/[^/]+[.]ts$`,
		credentials: '^credentials/',
	})[room] ?? `${HOME}${room}/`;
const OURS = ['^nodes/', '^credentials/'];
const ROOMS = Object.keys(MAY_IMPORT).map(pathOf);

const OPERATIONS = `${HOME}operations/`;
/** The folders below `operations/` that several resources use. */
const SHARED = ['filtering'];
const RESOURCE = `${OPERATIONS}(?!(?:${SHARED.join('|')})/)([^/]+)/`;

/** All that `feed` takes from `api`: types, guards and names. */
const FEED_OF_API = `${HOME}api/(?:identifiers|pages|schemas|wire)[.]ts$`;

/** All of a diagnosis but the collect step. */
const JUDGE = `${HOME}diagnose/(?:judge/|[^/]+[.]ts$)`;

const N8N = '^(?:node_modules/)?n8n-[^/]+';

/** Usable without n8n: neither at run time nor by types do they reach a module of it. */
const PURE_ROOMS = ['api', 'feed', 'item', 'parse', 'planning', 'records', 'words', 'writes'];

const forbidden = (name, from, to) => ({ name, severity: 'error', from, to });

/** Directly, or through other files. */
const reaching = (name, from) => forbidden(name, from, { reachable: true, path: N8N });

module.exports = {
	forbidden: [
		...Object.entries(MAY_IMPORT).map(([room, allowed]) =>
			forbidden(
				`${room} imports no more than ${allowed.join(', ')}`,
				{ path: pathOf(room) },
				{
					path: OURS,
					pathNot: [...allowed.map(pathOf), ...(room === 'feed' ? [FEED_OF_API] : [])],
				},
			),
		),
		forbidden(
			'operations on one resource import nothing of another',
			{ path: RESOURCE },
			{ path: RESOURCE, pathNot: `${OPERATIONS}$1/` },
		),
		forbidden('every room has its line', { path: OURS, pathNot: ROOMS }, {}),
		forbidden('no import goes round, types included', {}, { circular: true }),
		forbidden(
			'operations know neither how a write happens once nor how a key is found',
			{ path: OPERATIONS },
			{ path: `${HOME}writes/(?:once|keys)/` },
		),
		...PURE_ROOMS.map((room) =>
			reaching(`${room} reaches no module of n8n`, { path: pathOf(room) }),
		),
		// Judging is a function of the facts.
		reaching('the judge step of a diagnosis reaches no module of n8n', { path: JUDGE }),
		forbidden(
			'the judge step of a diagnosis knows nothing of the collect step',
			{ path: JUDGE },
			{ path: `${HOME}diagnose/collect/` },
		),
		forbidden(
			'packages are n8n-workflow, crypto, and the two that the build bundles',
			{ path: OURS },
			{
				pathNot: [
					...OURS,
					'^(node_modules/)?(@types/)?(crypto|ipaddr[.]js|n8n-workflow|zod)(/|$)',
				],
			},
		),
	],
	options: {
		tsPreCompilationDeps: true,
		tsConfig: { fileName: 'tsconfig.json' },
		doNotFollow: { path: 'node_modules' },
	},
};
