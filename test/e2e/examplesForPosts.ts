// The examples that change posts.

import type { Gallery } from '../../scripts/n8n/gallery';
import { newVersion, type Post } from '../../fake-service';
import { activate, run, stored, until } from './exampleRuns';
import { choose, fillIn, lastPage } from './formPages';
import { describeInBrowser } from './inBrowser';
import { instead, withStandIns } from './standIns';

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

		it('waits for the time of a post, and tells the author that it is live', async () => {
			const { api, service } = gallery();
			const { own } = service.world;
			const text = 'Live in a moment';
			const soon = '={{ { ...$json, scheduled_at: $now.plus({ seconds: 12 }).toUTC().toISO() } }}';
			const prepared = withStandIns(await gallery().prepared('is-it-live'), {
				'Find a Free Time': () =>
					instead(['set', 3.4], { mode: 'raw', jsonOutput: soon, options: {} }),
			});
			const given = { text, email: 'ada@example.com', submittedAt: new Date().toISOString() };
			const pinData = { 'New Post': [{ json: given }] };
			const workflow = await api.createWorkflow({ ...prepared, pinData });
			const running = run(gallery(), workflow, 'New Post');
			const post = await until(async () =>
				Promise.resolve(own.posts.toArray().find((one) => one.text === text)),
			);
			expect(post.status).toBe('scheduled');
			service.world.patchPost(own, post.id, { status: 'published' });
			const { output } = await running;
			expect(output('Tell the Author')).toMatchObject([
				{
					toEmail: 'ada@example.com',
					text: expect.stringContaining(text) as string,
				},
			]);
			expect(output('Tell the Team')).toEqual([]);
		});

		describeInBrowser('corrects a published one', gallery, (editor) => {
			let url: string;
			beforeAll(async () => {
				const workflow = await stored(gallery(), 'correct-published-post');
				await activate(gallery(), workflow);
				const form = workflow.nodes.find(({ name }) => name === 'Correction');
				url = `${gallery().n8n.url}/form/${String(form?.webhookId)}`;
			});

			const text = 'Now costs\n<4 $& more';
			/** Gives the text that the post has in the end. */
			const correct = async (given: {
				decision: string;
				/** The title of the last page. */
				end: string;
				meanwhile?: (post: Post) => void;
			}) => {
				const { world } = gallery().service;
				const { page } = editor();
				const stale = world.addPost(world.own, { status: 'published', text: 'Costs <5 $' });
				await fillIn(page, { url, fields: [` ${stale.id}`, text] });
				const compared = await choose(page, given.decision, () => given.meanwhile?.(stale));
				expect(compared).toContain('Costs <5 $');
				expect(compared).toContain('<4 $& more');
				await lastPage(page, given.end);
				return world.own.posts.get(stale.id)?.text;
			};

			it('after a look at both texts', async () => {
				const decision = 'Publish the new text';
				expect(await correct({ decision, end: 'Corrected' })).toBe(text);
			});

			it('unless it is to stay', async () => {
				const decision = 'Leave the post as it is';
				expect(await correct({ decision, end: 'Nothing was sent' })).toBe('Costs <5 $');
			});

			it('unless somebody else has changed it meanwhile', async () => {
				const theirs = 'Changed by somebody else';
				const post = await correct({
					decision: 'Publish the new text',
					end: 'Not corrected',
					meanwhile: (changed) => newVersion(gallery().service.world, changed, theirs),
				});
				expect(post).toBe(theirs);
			});
		});
	});
}
