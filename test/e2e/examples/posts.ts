// The examples that create and change posts.

import { newVersion, type Post } from '../../../fake-service';
import { inTime } from '../../../scripts/n8n/waiting';
import { choose, describeInBrowser, fillIn, formOf, lastPage } from './pages';
import { gallery, ownPosts, run, stored, whileActive, world } from './runs';
import { instead } from './standIns';

const PIXEL = Buffer.from(
	'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABpfZFQAAAAABJRU5ErkJggg==',
	'base64',
);
const withText = (text: string) => ownPosts().filter((post) => post.text === text);

describe('an example for posts', () => {
	it('starts Fast Response when a post is published', async () => {
		const { own } = world();
		const post = ownPosts().find(({ status }) => status === 'draft')?.id ?? '';
		await whileActive(await stored('fast-response-on-new-post'), async () => {
			world().patchPost(own, post, { status: 'published' });
			await inTime('Fast Response', () => own.boosts.length > 0);
		});
		expect(own.boosts).toMatchObject([{ post, interval: 5, duration: 60 }]);
	});

	it('waits for the time of a post, and tells the author that it is live', async () => {
		const text = 'Live in a moment';
		const soon = '={{ { ...$json, scheduled_at: $now.plus({ seconds: 12 }).toUTC().toISO() } }}';
		const workflow = await stored('is-it-live', {
			instead: {
				'Find a Free Time': () =>
					instead(['set', 3.4], { mode: 'raw', jsonOutput: soon, options: {} }),
			},
			pinned: {
				'New Post': [{ text, email: 'ada@example.com', submittedAt: new Date().toISOString() }],
			},
		});
		const running = run(workflow, 'New Post');
		const post = await inTime('The post', () => withText(text)[0]);
		expect(post.status).toBe('scheduled');
		world().patchPost(world().own, post.id, { status: 'published' });
		const { output } = await running;
		expect(output('Tell the Author')).toMatchObject([
			{ toEmail: 'ada@example.com', text: expect.stringContaining(text) as string },
		]);
		expect(output('Tell the Team')).toEqual([]);
	});
});

describeInBrowser('an example with a form', () => {
	it('stores a draft with an uploaded image', async () => {
		const url = await formOf('post-with-image', 'New Post');
		const image = { name: 'dot.png', mimeType: 'image/png', buffer: PIXEL };
		const text = 'A post with an image';
		await fillIn(url, [text, image]);
		await lastPage('The draft is there');
		expect(withText(text)).toMatchObject([
			{ status: 'draft', images: [expect.stringMatching(/dot\.png$/)] },
		]);
		const { storageRequests } = gallery().service;
		expect(storageRequests.at(-1)).toMatchObject({ bytes: PIXEL.length, tokenOk: true });

		await fillIn(url, ['x'.repeat(3001), image]);
		expect(await lastPage('The draft was not created')).toContain('3001');
	});
});

describeInBrowser('an example corrects a published post', () => {
	let url: string;
	beforeAll(async () => {
		url = await formOf('correct-published-post', 'Correction');
	});
	const [old, text, theirs] = ['Costs <5 $', 'Now costs\n<4 $& more', 'Changed by somebody else'];
	const PUBLISH = 'Publish the new text';

	it.each<
		[string, string, title: string, end: string, meanwhile: ((post: Post) => void) | undefined]
	>([
		['after a look at both texts', PUBLISH, 'Corrected', text, undefined],
		['unless it is to stay', 'Leave the post as it is', 'Nothing was sent', old, undefined],
		[
			...(['unless somebody else has changed it meanwhile', PUBLISH, 'Not corrected'] as const),
			...([theirs, (changed: Post) => newVersion(world(), changed, theirs)] as const),
		],
	])('%s', async (_, decision, title, end, meanwhile) => {
		const post = world().addPost(world().own, { status: 'published', text: old });
		await fillIn(url, [` ${post.id}`, text]);
		const compared = await choose(decision, () => meanwhile?.(post));
		expect(compared).toContain(old);
		expect(compared).toContain('<4 $& more');
		await lastPage(title);
		expect(world().own.posts.get(post.id)?.text).toBe(end);
	});
});
