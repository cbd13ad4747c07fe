// `npm start`: a real n8n with this package, and a fake of the service, on this machine.
// `npm start -- --check`: the same without a person; ends with 0 if the CRM is complete.

import { parseArgs } from 'node:util';

import { installHost } from '../n8n/host';
import { OWNER } from '../n8n/n8nApi';
import { say, seconds } from '../n8n/progress';
import { check } from './check';
import { KEYWORD, liven } from './life';
import { runOnStage, type Manager } from './runOnStage';
import type { Stage } from './stage';

const { values } = parseArgs({
	options: {
		check: { type: 'boolean', default: false },
		install: { type: 'boolean', default: false },
		help: { type: 'boolean', default: false },
	},
});

const HELP = `Starts n8n with this package and a fake service, both on this machine only.

  --check   no person needed: lets leads come in, compares the CRM with the service,
            prints the counts, and ends with 0 (complete) or 1
  --install only installs n8n, where that is still to be done
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
	const stage = await open({ name: values.check ? 'check' : 'start' });
	if (values.check) {
		const complete = await check(stage);
		say(complete ? '\nThe CRM is complete.' : '\nThe CRM is NOT what the service says.');
		return complete ? 0 : 1;
	}
	liven(stage.service);
	say(welcome(stage));
	await stage.n8n.ended;
	if (!leaving()) say(`n8n ended by itself, see ${stage.n8n.logFile}`);
	return 1;
}

function welcome({ n8n, api, service, workflows, tables }: Stage): string {
	const workflow = (name: keyof typeof workflows) => `${n8n.url}/workflow/${workflows[name].id}`;
	return `
Ready after ${seconds(since)}.

  n8n          ${n8n.url}
  login        ${OWNER.email}   ${OWNER.password}

What to look at
  The CRM      ${api.tablePage(tables.own)}
               fed by ${workflow('new-leads-to-crm')}
  Agency       ${api.tablePage(tables.clients)}
               the leads of all clients, fed by ${workflow('all-clients-new-leads')}
  Comments     ${api.tablePage(tables.comments)}
               who commented ${KEYWORD}, by ${workflow('keyword-comments')}
  By hand      ${workflow('read-leads')}
               open it, and press "Execute workflow"

Make a lead appear
  ${service.controlUrl}
  "Someone comments your keyword": a few seconds later the lead is in the CRM.
  Somebody comments by themselves now and then, too.

Build a workflow of your own: the two credentials are there, or make one with
  Base URL     ${service.baseUrl}
  API Key      ${service.world.keys.own}     (the agency's: ${service.world.keys.agency})

Both the service and this n8n start afresh every time. Ctrl-C ends it all.
`;
}

runOnStage(main);
