// The examples that begin with a form and create posts.

import type { ExampleName } from '../../scripts/n8n/examples';
import type { Gallery } from '../../scripts/n8n/gallery';
import { activate, stored } from './exampleRuns';
import { choose, fillIn, lastPage } from './formPages';
import { describeInBrowser } from './inBrowser';

const HOUR_MS = 3_600_000;
const PIXEL = Buffer.from(
	'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABpfZFQAAAAABJRU5ErkJggg==',
	'base64',
);

export function describeForms(gallery: () => Gallery): void {
	describeInBrowser('an example with a form', gallery, (editor) => {
		const addressOf = async (name: ExampleName, node: string): Promise<string> => {
			const workflow = await stored(gallery(), name);
			await activate(gallery(), workflow);
			const form = workflow.nodes.find((one) => one.name === node);
			return `${gallery().n8n.url}/form/${String(form?.webhookId)}`;
		};
		const posts = () => gallery().service.world.own.posts.toArray();
		const withText = (text: string) => posts().filter((post) => post.text === text);

		it('schedules the rows of a calendar once, after a look at what would be sent', async () => {
			const url = await addressOf('approve-content-calendar', 'Calendar');
			const at = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString();
			const [first, second, late] = ['Costs <5 $&', 'The second text', 'Too late'];
			const rows = [
				`1,${first},${at(5)}`,
				`2,"${second}",${at(9)}`,
				`3,${late},${at(-5)}`,
				`,Without an id,${at(7)}`,
			];
			const buffer = Buffer.from(['id,text,scheduled_at', ...rows].join('\n'));
			const fields = [{ name: 'calendar.csv', mimeType: 'text/csv', buffer }];
			const decide = async (option: string, title: string) => {
				await fillIn(editor().page, { url, fields });
				const shown = await choose(editor().page, option);
				return { shown, end: await lastPage(editor().page, title) };
			};
			const before = posts().length;

			const refused = await decide('Send nothing', 'Nothing was sent');
			for (const text of [first, second]) expect(refused.shown).toContain(text);
			expect(refused.shown.match(/Refused: /g)).toHaveLength(2);
			expect(refused.shown).toContain('Unique Key');
			expect(posts()).toHaveLength(before);

			const approved = await decide('Schedule the posts', 'Done');
			expect(approved.end).toContain('2 created, 0 already existed, 2 refused.');
			const made = [...withText(first), ...withText(second)];
			expect(made.map(({ status }) => status)).toEqual(['scheduled', 'scheduled']);
			expect(posts()).toHaveLength(before + 2);

			const again = await decide('Schedule the posts', 'Done');
			expect(again.shown.match(/already exists/g)).toHaveLength(2);
			expect(again.end).toContain('0 created, 2 already existed, 2 refused.');
			expect(posts()).toHaveLength(before + 2);
		});

		it('stores a draft with an uploaded image', async () => {
			const url = await addressOf('post-with-image', 'New Post');
			const { storageRequests } = gallery().service;
			const image = { name: 'dot.png', mimeType: 'image/png', buffer: PIXEL };
			const text = 'A post with an image';
			await fillIn(editor().page, { url, fields: [text, image] });
			await lastPage(editor().page, 'The draft is there');
			const [post, ...others] = withText(text);
			expect(others).toEqual([]);
			expect(post).toMatchObject({ status: 'draft', images: [expect.stringMatching(/dot\.png$/)] });
			expect(storageRequests.at(-1)).toMatchObject({ bytes: PIXEL.length, tokenOk: true });

			await fillIn(editor().page, { url, fields: ['x'.repeat(3001), image] });
			const end = await lastPage(editor().page, 'The draft was not created');
			expect(end).toContain('3001');
		});
	});
}
