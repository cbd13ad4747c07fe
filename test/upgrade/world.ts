/** The world that the runs of the present version meet, before it is frozen with them. */
import { startService, type Account } from '../../fake-service/index';
import type { FrozenAccount, FrozenWorld } from './frozen';
import { stopTime } from './stoppedTime';

const AT = '2027-03-01T09:00:00.000Z';

export async function presentWorld(): Promise<FrozenWorld> {
	const time = stopTime(AT);
	const service = await startService({ sample: 'none' });
	try {
		const { world } = service;
		const { own, agency, clientA: client } = world;
		for (const account of [own, client]) {
			for (const status of ['draft', 'scheduled', 'published'] as const)
				world.addPost(account, { status, text: `A ${status} post` });
			world.addLeadMagnet(account, { keyword: 'GUIDE' });
			world.addLeadMagnet(account, { keyword: 'PLAYBOOK' });
			world.seedLeads(account, 3);
			world.seedActivity(account, 4);
			const path = `${account.id}/${world.uuid()}.png`;
			account.media.set(path, {
				path,
				content_type: 'image/png',
				size: 0,
				sha256: '',
				bytes: Buffer.alloc(0),
			});
		}
		return {
			at: AT,
			own: held(own),
			agency: named(agency),
			client: held(client),
			grant: world.uuid(),
		};
	} finally {
		await service.close();
		time.restore();
	}
}

const named = ({ id, fullName, workspaceId }: Account): FrozenAccount => ({
	id,
	fullName,
	workspaceId,
});

const held = (account: Account): FrozenAccount => ({
	...named(account),
	posts: account.posts.toArray(),
	leadMagnets: account.leadMagnets.toArray(),
	leads: account.leads.toArray(),
	activity: account.activity.toArray(),
	media: [...account.media.keys()],
});
