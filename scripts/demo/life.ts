// What happens in the fake service while the demo runs.

import type { FakeService } from '../../test/service';

export const KEYWORD = 'GUIDE';

/** More than a page of leads, so that there is something to bring in at the start. */
export function furnish({ world }: FakeService): void {
	world.seedLeads(world.own, 120);
	world.seedLeads(world.clientA, 40);
	world.seedLeads(world.clientB, 15);
}

/** Somebody comments somewhere every few seconds, never at a regular beat. */
export function liven({ world }: FakeService): () => void {
	const accounts = [world.own, world.own, world.clientA, world.clientB, world.clientC];
	let timer: NodeJS.Timeout;
	const next = () => {
		timer = setTimeout(
			() => {
				const account = accounts[Math.floor(Math.random() * accounts.length)] ?? world.own;
				if (Math.random() < 0.6) world.comment(account, KEYWORD);
				else world.addActivity(account);
				next();
			},
			4_000 + Math.random() * 11_000,
		);
	};
	next();
	return () => clearTimeout(timer);
}
