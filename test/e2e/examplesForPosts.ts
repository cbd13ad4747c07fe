// The examples that change posts.

import type { Browser } from 'playwright-core';

import { mayHaveBrowser, openBrowser, provideChromium } from '../../scripts/n8n/chromium';
import { Editor } from '../../scripts/n8n/editor';
import type { Gallery } from '../../scripts/n8n/gallery';
import { newVersion, type Post } from '../service';
import { activate, stored, until } from './exampleRuns';
import { review } from './review';

export function describePosts(gallery: () => Gallery): void {
	describe('an example for posts', () => {
		it('starts Fast Response when a post is published', async () => {
			const { world } = gallery().service;
			const workflow = await stored(gallery(), 'fast-response-on-new-post');
			await activate(gallery(), workflow);
			const post = world.own.posts.toArray().find(({ status }) => status === 'draft');
			world.patchPost(world.own, post?.id ?? '', { status: 'published' });
			await until(async () => (world.own.boosts.length > 0 ? true : undefined));
			await gallery().api.deactivate(workflow);
			expect(world.own.boosts).toMatchObject([{ post: post?.id, interval: 5, duration: 60 }]);
		});

		(mayHaveBrowser() ? describe : describe.skip)('corrects a published one', () => {
			let browser: Browser;
			let editor: Editor;
			let url: string;
			beforeAll(async () => {
				await provideChromium();
				browser = await openBrowser();
				editor = await Editor.open(browser, gallery().n8n.url);
				const workflow = await stored(gallery(), 'correct-published-post');
				await activate(gallery(), workflow);
				const form = workflow.nodes.find(({ name }) => name === 'Correction');
				url = `${gallery().n8n.url}/form/${String(form?.webhookId)}`;
			}, 180_000);
			afterAll(async () => await browser?.close());

			const correct = async (given: { decision: string; meanwhile?: (post: Post) => void }) => {
				const { world } = gallery().service;
				const stale = world.addPost(world.own, { status: 'published', text: 'Costs <5 $' });
				const { id } = stale;
				const text = 'Now costs\n<4 $& more';
				const { decision } = given;
				const meanwhile = () => given.meanwhile?.(stale);
				const seen = await review(editor.page, { url, post: ` ${id}`, text, decision, meanwhile });
				expect(seen.compared).toContain('Costs <5 $');
				expect(seen.compared).toContain('<4 $& more');
				return { end: seen.end, text, post: world.own.posts.get(id)?.text };
			};

			it('after a look at both texts', async () => {
				const { end, text, post } = await correct({ decision: 'Publish the new text' });
				expect(end).toContain('Corrected');
				expect(post).toBe(text);
			});

			it('unless it is to stay', async () => {
				const { end, post } = await correct({ decision: 'Leave the post as it is' });
				expect(end).toContain('Nothing was sent');
				expect(post).toBe('Costs <5 $');
			});

			it('unless somebody else has changed it meanwhile', async () => {
				const { end, post } = await correct({
					decision: 'Publish the new text',
					meanwhile: (changed) =>
						newVersion(gallery().service.world, changed, 'Changed by somebody else'),
				});
				expect(end).toContain('Not corrected');
				expect(post).toBe('Changed by somebody else');
			});
		});
	});
}
