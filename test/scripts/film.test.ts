/** What a film shows of what the camera took, and the sentences of the demo video. */
import { spokenMs } from '../../scripts/generate/film/camera';
import { framesOf, MOVE_MS, type Shot } from '../../scripts/generate/film/shots';
import { MAX_SECONDS, STORYBOARD } from '../../scripts/generate/film/storyboard';

const here = { x: 10, y: 20 };
const there = { x: 110, y: 220 };
const shot = (change: Partial<Shot>): Shot => ({
	...{ png: Buffer.alloc(0), ms: 1_000, caption: 'A sentence' },
	...{ pointer: { from: here, to: here } },
	...change,
});
const lasts = (one: Shot): number => framesOf(one).reduce((sum, { ms }) => sum + ms, 0);

test('shows a page on which nothing moves as one frame', () => {
	expect(framesOf(shot({}))).toEqual([
		{ ...here, caption: 'A sentence', pressed: false, ms: 1_000 },
	]);
});

test('moves the pointer there step by step, and then leaves it there', () => {
	const frames = framesOf(shot({ pointer: { from: here, to: there } }));
	const moving = frames.slice(0, -1);
	expect(moving.reduce((sum, { ms }) => sum + ms, 0)).toBe(MOVE_MS);
	for (const [place, { x }] of moving.entries())
		expect(x).toBeGreaterThan(moving[place - 1]?.x ?? here.x);
	expect(moving.at(-1)).toMatchObject(there);
	expect(frames.at(-1)).toMatchObject({ ...there, ms: 1_000 - MOVE_MS });
});

test('presses only where the pointer arrives, and at the end', () => {
	const frames = framesOf(shot({ pointer: { from: here, to: there }, presses: true }));
	expect(frames.map(({ pressed }) => pressed).indexOf(true)).toBe(frames.length - 1);
	expect(frames.at(-1)).toMatchObject({ ...there, pressed: true });
});

test.each([0, 70, 600, 601, 5_000])('lasts as long as it should: %i ms', (ms) => {
	expect(lasts(shot({ ms }))).toBe(ms);
	expect(lasts(shot({ ms, pointer: { from: here, to: there }, presses: true }))).toBe(ms);
});

test('leaves half of the time that reviewers give for clicks and answers', () => {
	const sentences = Object.values(STORYBOARD).flatMap(({ said }): readonly string[] => said);
	const spoken = sentences.reduce((sum, sentence) => sum + spokenMs(sentence), 0);
	expect(spoken / 1000).toBeLessThan(MAX_SECONDS / 2);
});
