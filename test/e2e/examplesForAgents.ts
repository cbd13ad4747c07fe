// The example in which a model writes, and a person decides.

import type { Gallery } from '../../scripts/n8n/gallery';
import { startChatModel, startMailServer, type ChatModel, type MailServer } from './chatModel';
import { credentialFor, run, until } from './exampleRuns';

const TEXT = 'Written by the model, "quotes" & all';
/** A link that only a program follows is taken for a preview of the mail. */
const BROWSER = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0.0.0 Safari/537.36' };

export function describeAgents(gallery: () => Gallery): void {
	describe('an example with an agent, begun with a form', () => {
		let model: ChatModel;
		let mail: MailServer;
		beforeAll(async () => {
			model = await startChatModel({ text: TEXT });
			mail = await startMailServer();
		});
		afterAll(async () => {
			await model.close();
			await mail.close();
		});

		const decide = async (approved: boolean, submittedAt: string) => {
			const { api, service } = gallery();
			const prepared = await gallery().prepared('agent-asks-before-publishing');
			const openAi = { apiKey: 'none', url: `http://127.0.0.1:${model.port}/v1` };
			const own: Record<string, { id: string; name: string }> = {
				openAiApi: await credentialFor(gallery(), 'openAiApi', openAi),
				smtp: await credentialFor(gallery(), 'smtp', mail.credential),
			};
			for (const { credentials } of prepared.nodes)
				for (const [type, made] of Object.entries(own))
					if (credentials?.[type] !== undefined) credentials[type] = made;
			const pinData = { Topic: [{ json: { topic: 'Anything', submittedAt } }] };
			const workflow = await api.createWorkflow({ ...prepared, pinData });
			const { length } = mail.mails;
			const ended = run(gallery(), workflow, 'Topic');
			ended.catch(() => undefined);
			const asked = await until(async () => mail.mails[length]);
			const before = ours(service.world.own.posts.toArray());
			const links = [...asked.matchAll(/href="(http[^"]+)"/g)].map(([, link = '']) =>
				link.replace(/&amp;/g, '&'),
			);
			const link = links.find((one) => one.includes(`approved=${approved}`));
			// The mail is sent a moment before n8n waits for the answer.
			await until(async () => {
				const answer = await fetch(link ?? '', { headers: BROWSER });
				return answer.ok ? true : undefined;
			});
			await ended;
			return { asked, before, after: ours(service.world.own.posts.toArray()) };
		};
		const ours = <T extends { text: string }>(posts: T[]): T[] =>
			posts.filter(({ text }) => text === TEXT);

		it('publishes nothing that a person has refused', async () => {
			const { asked, after } = await decide(false, '2026-03-02T09:00:00.000Z');
			expect(asked).toContain('Written by the model');
			expect(after).toEqual([]);
			expect(model.heard.at(-1)).toContain('rejected');
		});

		it('publishes exactly what a person has approved', async () => {
			const { before, after } = await decide(true, '2026-03-02T10:00:00.000Z');
			expect(before).toEqual([]);
			expect(after.map(({ status }) => status)).toEqual(['published']);
			expect(model.heard.at(-1)).toContain(after[0]?.id);
		});
	});
}
