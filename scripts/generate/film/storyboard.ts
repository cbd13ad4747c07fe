/** The demo video for n8n's reviewers: what is seen, and what is said. `docs/demo-video.md` shows it. */
import { LINES } from './commentToCrm';

export const MAX_SECONDS = 300;

interface Scene {
	readonly title: string;
	readonly seen: string;
	/** In the order in which they are said. */
	readonly said: readonly string[];
}

export const STORYBOARD = {
	install: {
		title: 'Install',
		seen: 'Settings → Community nodes → Install; the name of the package; its nodes in the list',
		said: [
			'A community package is installed in the settings, by its name',
			'Ours is n8n-nodes-leadgen-publishing; it has no dependencies',
			'It is there, without a restart: an action node and a trigger',
		],
	},
	add: {
		title: 'Add the node',
		seen: 'A new workflow; “lead gen” in the nodes panel; the actions; Get many leads',
		said: [
			'In a new workflow, the nodes panel finds it by “lead gen”',
			'Every action by its name: posts, lead magnets, media, leads, activity, clients',
			'We take Get many leads',
		],
	},
	credential: {
		title: 'Credential',
		seen: 'A new credential; Base URL and API Key; Save; the test passes',
		said: [
			'A new credential needs the address of the API and a key',
			'Saving tests it: n8n asks the service whose key it is',
			'It closes once the test has passed; opened again, it says so',
		],
	},
	actions: {
		title: 'Main actions',
		seen: 'Get many leads and its output; then Post → Create, a draft, and its output',
		said: [
			'We run the node',
			'Leads come flat, ready for a CRM, the most useful fields first',
			'The same node creates a post, here a draft',
			'The answer is the new post with its ID',
		],
	},
	trigger: {
		title: 'Trigger',
		seen: 'The trigger’s panel and a test event; Publish; a comment; the lead in the table',
		said: [
			'The trigger asks for new leads again and again, since the service sends no webhooks',
			'A test event shows leads as they will come',
			'Published, each new lead starts the workflow once, and goes into a table',
			LINES.comment,
			LINES.asks,
			LINES.arrives,
			LINES.table,
			LINES.lead,
		],
	},
	agent: {
		title: 'As a tool (optional)',
		seen: 'The example that offers actions to AI agents by MCP; the panel of one of the tools',
		said: [
			'The action node is also a tool for AI agents, here behind n8n’s MCP Server Trigger',
			'What the agent may fill in is chosen field by field',
		],
	},
} as const satisfies Record<string, Scene>;

export type SceneName = keyof typeof STORYBOARD;

export const SCENE_NAMES = Object.keys(STORYBOARD) as SceneName[];

export const storyboardTable = (): string =>
	[
		'| scene | what is seen | what is said |',
		'|---|---|---|',
		...Object.values<Scene>(STORYBOARD).map(
			({ title, seen, said }) => `| ${title} | ${seen} | ${said.join('<br>')} |`,
		),
	].join('\n');
