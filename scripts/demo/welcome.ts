// What a person sees when the demo is ready, and what happens while they look at it.

import { EXAMPLE_NAMES, readExample, runsAsItIs, type ExampleName } from '../n8n/examples';
import { OWNER } from '../n8n/n8nApi';
import { followLeads } from './follow';
import type { Demo } from './furnishN8n';
import { liven } from './life';

/** Somebody watches: let something happen, and show on the control page what came of it. */
export function showTo(demo: Demo): void {
	const { api, service, tables } = demo;
	service.guide.push(
		{ label: 'Table “Own leads”', url: api.tablePage(tables.own) },
		{ label: 'Table “Content calendar”', url: api.tablePage(tables.calendar) },
		{ label: 'Workflows in n8n', url: workflowsPage(api.url) },
	);
	liven(service);
	followLeads(demo);
}

const workflowsPage = (url: string): string => `${url}/home/workflows`;

/** `restart` says how it ends, and how it starts over. */
export function welcome({ api, service, workflows, tables }: Demo, restart: string): string {
	const workflow = (name: ExampleName) => `${api.url}/workflow/${workflows[name].id}`;
	return `
  Log in with    ${OWNER.email}   ${OWNER.password}

Your first lead
  1. Press "Someone comments your keyword" on the control page of the fake service:
     ${service.controlUrl}
     It shows when n8n has asked for the lead, and when its row is in the table.
  2. See it in the table "Own leads"; new rows come last, reload to see them:
     ${api.tablePage(tables.own)}

Your content calendar
  1. Look at the posts of three clients in the table "Content calendar":
     ${api.tablePage(tables.calendar)}
  2. Press "Execute workflow" here. Each row marked "ready" becomes a scheduled post:
     ${workflow('content-calendar')}
  3. Change a text or a time in the table, and press "Execute workflow" again: that post changes,
     and the others stay as they are. Mark an "idea" as "ready", and it is scheduled, too.

What runs
  All workflows  ${workflowsPage(api.url)}
  Own leads      ${workflow('new-leads-to-crm')}
  Client leads   ${workflow('all-clients-new-leads')}
        table    ${api.tablePage(tables.clients)}
  Comments       ${workflow('keyword-comments')}
        table    ${api.tablePage(tables.comments)}
  Each client    ${workflow('leads-of-each-client')}
        tables   ${api.url}/home/datatables, one for each client that gets a lead

Examples that run as they are, whenever you press "Execute workflow"
${runningExamples(workflow)}
  The others need an account with somebody else, such as a CRM, a mailbox or a model. Their notes
  say which.

Build a workflow of your own at ${api.url}/workflow/new
  A new node has the credential of your own account already; there is one for the agency, too.
  To make one yourself: Base URL  ${service.baseUrl}
                        API Key   ${service.world.keys.own}

Now and then somebody comments without your help, too. ${restart}
`;
}

/** They need nothing but n8n's own tables. */
const runningExamples = (workflow: (name: ExampleName) => string): string =>
	EXAMPLE_NAMES.filter(runsAsItIs)
		.map((name) => `  ${readExample(name).name.padEnd(44)} ${workflow(name)}`)
		.join('\n');
