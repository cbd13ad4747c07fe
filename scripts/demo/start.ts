// `npm start`: a real n8n with this package, and a fake of the service, on this machine.
// `npm start -- --check`: the same without a person; ends with 0 if the CRM is complete.

import { parseArgs } from 'node:util';

import { EXAMPLE_NAMES, readExample, runsAsItIs, type ExampleName } from '../n8n/examples';
import { installHost } from '../n8n/host';
import { OWNER } from '../n8n/n8nApi';
import { say, seconds } from '../n8n/progress';
import { check } from './check';
import { followLeads } from './follow';
import { liven } from './life';
import { runOnStage, type Manager } from './runOnStage';
import type { Stage } from './stage';

const { values } = parseArgs({
	options: {
		check: { type: 'boolean', default: false },
		fresh: { type: 'boolean', default: false },
		install: { type: 'boolean', default: false },
		likely: { type: 'boolean', default: false },
		help: { type: 'boolean', default: false },
	},
});

const HELP = `Starts n8n with this package and a fake service, both on this machine only.

  --check   no person needed: lets leads come in, compares the CRM with the service,
            prints the counts, and ends with 0 (complete) or 1
  --fresh   starts over: deletes what you built the last time
  --install only installs n8n, where that is still to be done
  --likely  the service answers in the shapes that a similar one shows in public:
            lists of posts are summaries without notes, for example
`;

const since = Date.now();

async function main({ open, leaving }: Manager): Promise<number> {
	if (values.help) {
		say(HELP);
		return 0;
	}
	if (values.install) {
		await installHost();
		return 0;
	}
	const { check: isCheck, fresh, likely } = values;
	const stage = await open({ name: isCheck ? 'check' : 'start', fresh, likely });
	if (isCheck) {
		const complete = await check(stage);
		say(complete ? '\nThe CRM is complete.' : '\nThe CRM does not match the service.');
		return complete ? 0 : 1;
	}
	showTo(stage);
	const text = welcome(stage);
	stage.setWelcome(text);
	say(`\nReady after ${seconds(since)}.\n${text}`);
	await stage.n8n.ended;
	if (!leaving()) say(`n8n ended unexpectedly. See ${stage.n8n.logFile}`);
	return 1;
}

/** Somebody watches: let something happen, and show on the control page what came of it. */
function showTo(stage: Stage): void {
	const { n8n, api, service, tables } = stage;
	service.guide.push(
		{ label: 'Table “Own leads”', url: api.tablePage(tables.own) },
		{ label: 'Table “Content calendar”', url: api.tablePage(tables.calendar) },
		{ label: 'Workflows in n8n', url: workflowsPage(n8n.url) },
	);
	liven(service);
	followLeads(stage);
}

const workflowsPage = (url: string): string => `${url}/home/workflows`;

function welcome({ n8n, api, service, workflows, tables }: Stage): string {
	const workflow = (name: ExampleName) => `${n8n.url}/workflow/${workflows[name].id}`;
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
  All workflows  ${workflowsPage(n8n.url)}
  Own leads      ${workflow('new-leads-to-crm')}
  Client leads   ${workflow('all-clients-new-leads')}
        table    ${api.tablePage(tables.clients)}
  Comments       ${workflow('keyword-comments')}
        table    ${api.tablePage(tables.comments)}
  Each client    ${workflow('leads-of-each-client')}
        tables   ${n8n.url}/home/datatables, one for each client that gets a lead

Examples that run as they are, whenever you press "Execute workflow"
${runningExamples(workflow)}
  The others need an account with somebody else, such as a CRM, a mailbox or a model. Their notes
  say which.

Build a workflow of your own at ${n8n.url}/workflow/new
  A new node has the credential of your own account already; there is one for the agency, too.
  To make one yourself: Base URL  ${service.baseUrl}
                        API Key   ${service.world.keys.own}

Now and then somebody comments without your help, too. Ctrl-C ends it all. What you build is there
again the next time; npm start -- --fresh starts over.
`;
}

/** They need nothing but n8n's own tables. */
const runningExamples = (workflow: (name: ExampleName) => string): string =>
	EXAMPLE_NAMES.filter(runsAsItIs)
		.map((name) => `  ${readExample(name).name.padEnd(44)} ${workflow(name)}`)
		.join('\n');

runOnStage(main);
