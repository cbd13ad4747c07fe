// What a person sees when the demo is ready, and what happens while they look at it.

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

/** Eight lines. `startOver` is the command that deletes what a person built. */
export const welcome = ({ api, service, workflows, tables }: Demo, startOver: string): string => `
  n8n           ${workflowsPage(api.url)}
  Log in with   ${OWNER.email}   ${OWNER.password}

  1. Press "Someone comments your keyword":   ${service.controlUrl}
  2. See the new lead (reload the page):      ${api.tablePage(tables.own)}
  3. Press "Execute workflow": six new posts  ${api.url}/workflow/${workflows['content-calendar'].id}

  Press Ctrl-C to stop. The next start keeps your workflows. To start over: ${startOver}
`;
