// The fake service on its own: `npx tsx fake-service/main.ts --port 4010 --leads 5000 --lively`.

import { parseArgs } from 'node:util';
import { readFileSync } from 'node:fs';
import { readShapes } from './shapes';
import { startService, type FakeService } from './index';

const { values } = parseArgs({
	options: {
		port: { type: 'string', default: '4010' },
		'control-port': { type: 'string', default: '4012' },
		words: { type: 'string' },
		leads: { type: 'string', default: '0' },
		shapes: { type: 'string' },
		lively: { type: 'boolean', default: false },
		likely: { type: 'boolean', default: false },
		help: { type: 'boolean', default: false },
	},
});

const HELP = `Runs the fake service on loopback, with sample data.

  --port N           the port of the API (4010; 0 picks a free one)
  --control-port N   the port of the control page (4012)
  --leads N          add N leads to your own account
  --words S/N        what the service and the network are called (svc/network)
  --shapes FILE      use the response shapes that npm run diagnose -- --save FILE has saved
  --lively           leads and activity arrive without your help
  --likely           use the response shapes of a similar public service
`;

/** Somebody comments somewhere every few seconds, never at a regular beat. */
function liven({ world }: FakeService): () => void {
	let timer: NodeJS.Timeout;
	const accounts = [world.own, world.own, world.clientA, world.clientB, world.clientC];
	const happen = () => {
		const account = accounts[Math.floor(Math.random() * accounts.length)] ?? world.own;
		if (Math.random() < 0.5) world.comment(account);
		else world.addActivity(account);
		timer = setTimeout(happen, 3_000 + Math.random() * 12_000);
	};
	timer = setTimeout(happen, 3_000);
	return () => clearTimeout(timer);
}

async function main(): Promise<void> {
	if (values.help) {
		process.stdout.write(HELP);
		return;
	}
	const [serviceWord, networkWord] = values.words?.split('/') ?? [];
	const service = await startService({
		words: serviceWord && networkWord ? { service: serviceWord, network: networkWord } : undefined,
		port: Number(values.port),
		controlPort: Number(values['control-port']),
		control: true,
		autoPublish: true,
		likelyShapes: values.likely,
		shapes:
			values.shapes === undefined ? undefined : readShapes(readFileSync(values.shapes, 'utf8')),
	});
	service.world.seedLeads(service.world.own, Number(values.leads));
	const quiet = values.lively ? liven(service) : () => {};
	const { keys } = service.world;
	process.stdout.write(
		[
			`API      ${service.baseUrl}`,
			`Storage  ${service.storageUrl}`,
			`Control  ${service.controlUrl}`,
			`Key      ${keys.own}   (own account)`,
			`Key      ${keys.agency}   (agency with clients)`,
			`Key      ${keys.single['leads:read']}   (leads:read only)`,
			'',
		].join('\n'),
	);
	const stop = () => {
		quiet();
		void service.close();
	};
	process.once('SIGINT', stop);
	process.once('SIGTERM', stop);
}

void main();
