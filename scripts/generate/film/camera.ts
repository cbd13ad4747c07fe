// Takes a film of a page, picture by picture. Its clock is that of the film: a sentence stays as long
// as it takes to read it aloud, and a slow machine makes hardly a longer film.

import { setTimeout as pause } from 'node:timers/promises';

import type { CDPSession, Locator, Page } from 'playwright-core';

import { MOVE_MS, type Point, type Shot } from './shots';

/** The film is as wide, and higher by a line of text. */
export const ROOM = { width: 1280, height: 656 };
export const CAPTION_HEIGHT = 64;
const PRESSING_MS = 250;
/** What a click changes is to be seen before anything else happens. */
const AFTER_CLICK_MS = 600;
const SETTLING_MS = 350;
const TYPING = { letters: 3, ms: 110 };
/** The editor takes a text over once nobody has typed for a while. */
const AFTER_TYPING_MS = 1_000;
/** A longer wait is cut. */
const LONGEST_WAIT_MS = 5_000;
const LOOK_EVERY_MS = 200;

export class Camera {
	readonly shots: Shot[] = [];
	/** What was waited for and is not in the film. */
	cutMs = 0;
	private caption = '';
	private pointer: Point = { x: ROOM.width * 0.62, y: ROOM.height * 0.7 };
	private saidUntil = 0;

	private constructor(
		private readonly page: Page,
		private readonly session: CDPSession,
	) {}

	static async on(page: Page): Promise<Camera> {
		await page.setViewportSize(ROOM);
		return new Camera(page, await page.context().newCDPSession(page));
	}

	/** How long the film is so far. */
	get ms(): number {
		return this.shots.reduce((sum, shot) => sum + shot.ms, 0);
	}

	/** The sentence of what follows, once the one before has been read. */
	async say(sentence: string): Promise<void> {
		await this.finishSentence();
		this.caption = sentence;
		this.saidUntil = this.ms + spokenMs(sentence);
	}

	async finishSentence(): Promise<void> {
		const left = this.saidUntil - this.ms;
		if (left > 0) await this.hold(left);
	}

	/** The page as it is. */
	async hold(ms: number): Promise<void> {
		await this.take({ ms });
	}

	async moveTo(target: Locator): Promise<void> {
		await this.point(target, MOVE_MS, false);
	}

	/** As a person clicks: the pointer comes first. */
	async click(target: Locator, { double = false } = {}): Promise<void> {
		await this.point(target, MOVE_MS + PRESSING_MS, true);
		await (double ? target.dblclick() : target.click());
		await pause(SETTLING_MS);
		await this.hold(AFTER_CLICK_MS);
	}

	/** Letter by letter; what stood there is gone. */
	async type(target: Locator, text: string): Promise<void> {
		await this.click(target);
		await target.fill('');
		for (let done = 0; done < text.length; done += TYPING.letters) {
			await target.pressSequentially(text.slice(done, done + TYPING.letters));
			await this.hold(TYPING.ms);
		}
		await pause(AFTER_TYPING_MS);
		await this.hold(AFTER_CLICK_MS);
	}

	/** Films until it is done, in the time that it takes, but for what is cut. */
	async during<T>(work: Promise<T>): Promise<T> {
		let over = false;
		const end = () => (over = true);
		const done = work.then(end, end);
		let waited = 0;
		let since = performance.now();
		while (!over && waited < LONGEST_WAIT_MS) {
			const shot = await this.take({ ms: 0 });
			await Promise.race([done, pause(LOOK_EVERY_MS)]);
			const now = performance.now();
			const passed = Math.round(Math.min(now - since, LONGEST_WAIT_MS - waited));
			shot.ms += passed;
			waited += passed;
			since = now;
		}
		await done;
		this.cutMs += performance.now() - since;
		return await work;
	}

	private async point(target: Locator, ms: number, presses: boolean): Promise<void> {
		await target.waitFor();
		await target.scrollIntoViewIfNeeded();
		const box = await target.boundingBox();
		if (!box) throw new Error('what the pointer should move to is not to be seen');
		const to = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
		await this.take({ ms, to, presses });
		await this.page.mouse.move(to.x, to.y);
	}

	private async take({ ms, to, presses }: Pick<Shot, 'ms' | 'presses'> & { to?: Point }) {
		const { data } = await this.session.send('Page.captureScreenshot', {
			format: 'png',
			optimizeForSpeed: true,
		});
		const png = Buffer.from(data, 'base64');
		const last = this.shots.at(-1);
		const isSame = to === undefined && last?.caption === this.caption && last.png.equals(png);
		if (isSame && !last.presses) {
			last.ms += Math.round(ms);
			return last;
		}
		const pointer = { from: this.pointer, to: to ?? this.pointer };
		const shot: Shot = { png, ms: Math.round(ms), caption: this.caption, pointer, presses };
		this.shots.push(shot);
		this.pointer = pointer.to;
		return shot;
	}
}

/** As long as it takes to read it aloud. */
export const spokenMs = (sentence: string): number =>
	Math.max(2_500, 800 + sentence.split(' ').length * 380);
