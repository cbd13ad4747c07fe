/** Twelve reasons why somebody cannot work, planted one at a time: which check names it, and what to do. */
import { DIFFERENCES, differenceNames, type DifferenceName } from '../../fake-service/differences';
import { startService } from '../../fake-service/index';
import { expectFittingCheck } from '../support/kit/fittingWords';
import { diagnosisOf } from './scene';

interface Named {
	readonly check: string;
	readonly means: string;
	readonly next: string;
	/** The names of the clients. */
	readonly clients?: readonly string[];
}

const BEN = 'Ben Castellano';

const NAMED: Readonly<Record<DifferenceName, Named>> = {
	otherUrl: {
		check: 'URL and key',
		means: 'is not from this API: a web page',
		next: 'Check that the Base URL in the credential is the URL of the API v1',
	},
	keyRevoked: {
		check: 'URL and key',
		means: 'The service does not accept the API key.',
		next: 'Open the credential and enter the API Key again.',
	},
	clockAhead: {
		check: 'Clock',
		means: 'The clocks of n8n and the service differ.',
		next: 'Check the clock of the machine that runs n8n',
	},
	scopeMissing: {
		check: 'Scopes',
		means: 'posts:read',
		next: 'Ask the service',
	},
	grantsEnded: {
		check: 'Clients',
		means: `does not give the agency access (expired): ${BEN}.`,
		next: 'Ask these clients to activate the grant, or leave them out.',
		clients: [BEN],
	},
	clientRefused: {
		check: 'Clients',
		means: `The service denies access to these clients: ${BEN}.`,
		next: 'Look up these clients in the service dashboard.',
		clients: [BEN],
	},
	clientPaused: {
		check: 'Reads',
		means: `GET /posts: The account is paused. Clients: ${BEN}.`,
		next: 'Resume the account in the dashboard',
		clients: [BEN],
	},
	accountsMixed: {
		check: 'Separate accounts',
		means: 'show records of another account: ',
		next: 'Please stop workflows that work for clients',
	},
	activityFails: {
		check: 'Reads',
		means: 'GET /activity: The service failed unexpectedly.',
		next: 'If it keeps failing, give the request ID',
	},
	offsetIgnored: {
		check: 'Complete lists',
		means:
			'The service ignores the offset. "Return All" and the trigger see only the first page of leads.',
		next: 'Turn off "Return All", and set "Limit" to 100 or less.',
	},
	hasEmailIgnored: {
		check: 'Filters',
		means: 'The service returns records that do not match this filter: Has Email.',
		next: 'In the trigger, leave this filter empty',
	},
	notesNotShown: {
		check: 'Unique keys',
		means: 'Posts do not show their notes',
		next: 'Leave "Unique Key" empty.',
	},
};

it.each(differenceNames)('%s is named, with what to do', async (name) => {
	const { check, means, next, clients = [] } = NAMED[name];
	const service = await startService({ isStrict: false });
	const { keys } = service.world;
	const difference = DIFFERENCES[name];
	difference.plant(service);
	const { summary, needing, all } = await diagnosisOf(
		service,
		'isOfAgency' in difference ? keys.agency : keys.own,
	);
	await service.close();
	expect(needing.map((item) => item.check)).toEqual([check]);
	const [found] = needing;
	expect(found?.means).toContain(means);
	expect(found?.do_next).toContain(next);
	if (clients.length > 0)
		expect(found?.clients.map(({ client_name: named }) => named)).toEqual(clients);
	// Whoever is to pass on the request ID finds it in the item.
	if (found?.do_next.includes('request ID'))
		expect(found.service_says).toMatch(/request ID \S+\)$/);
	// The summary alone says what is wrong and what to do.
	expect(summary.means).toContain(found?.means);
	expect(summary.do_next).toBe(found?.do_next);
	all.forEach((item) => expectFittingCheck({ ...item }));
});
