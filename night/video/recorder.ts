// A page of n8n while it is used, as pictures with a line of text below: what Chromium paints goes into
// a folder, and ffmpeg joins it.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { CDPSession, Page } from 'playwright-core';

import { runFfmpeg } from '../../scripts/n8n/ffmpeg';
import { listOf, subtitlesOf, timelineOf, type Event } from './timeline';

/** Of the page; below it there is room for the lines. */
const WINDOW = { width: 1440, height: 738 };
const BAR = 72;
const FRAMES_PER_SECOND = 15;
/** What moves at the end of an action has come to rest then. */
const SETTLING_MS = 700;

/** Headless pages show no pointer. */
const POINTER = `addEventListener('DOMContentLoaded', () => {
	const pointer = document.createElement('div');
	Object.assign(pointer.style, { position: 'fixed', left: '-40px', top: '-40px', width: '22px',
		height: '22px', margin: '-11px', borderRadius: '50%', background: 'rgba(255,109,90,0.55)',
		border: '2px solid rgb(255,109,90)', boxSizing: 'border-box', pointerEvents: 'none',
		zIndex: '2147483647', transition: 'left .25s, top .25s, transform .15s' });
	document.documentElement.append(pointer);
	addEventListener('mousemove', ({ clientX, clientY }) => {
		pointer.style.left = clientX + 'px';
		pointer.style.top = clientY + 'px';
	}, true);
	addEventListener('mousedown', () => { pointer.style.transform = 'scale(0.6)'; }, true);
	addEventListener('mouseup', () => { pointer.style.transform = ''; }, true);
});`;

const now = (): number => Date.now() / 1000;

export class Recorder {
	private readonly events: Event[] = [];
	private chapter = '';
	private pictures = 0;
	private isLeavingOut = false;

	private constructor(
		private readonly page: Page,
		private readonly session: CDPSession,
		private readonly folder: string,
	) {}

	static async start(page: Page, folder: string): Promise<Recorder> {
		rmSync(folder, { recursive: true, force: true });
		mkdirSync(folder, { recursive: true });
		await page.setViewportSize(WINDOW);
		await page.addInitScript(POINTER);
		const session = await page.context().newCDPSession(page);
		const recorder = new Recorder(page, session, folder);
		session.on('Page.screencastFrame', ({ data, metadata, sessionId }) => {
			recorder.keep(Buffer.from(data, 'base64'), metadata.timestamp ?? now());
			// The session may have ended meanwhile.
			void session.send('Page.screencastFrameAck', { sessionId }).catch(() => undefined);
		});
		await session.send('Page.startScreencast', { format: 'jpeg', quality: 92, everyNthFrame: 2 });
		return recorder;
	}

	private keep(picture: Buffer, at: number): void {
		if (this.isLeavingOut) return;
		this.pictures += 1;
		const file = `${String(this.pictures).padStart(5, '0')}.jpg`;
		writeFileSync(join(this.folder, file), picture);
		this.events.push({ kind: 'picture', at, file });
	}

	beginChapter(name: string): void {
		this.chapter = name;
	}

	/** The line below the picture from now on. */
	say(text: string): void {
		this.events.push({ kind: 'line', at: now(), line: { chapter: this.chapter, text } });
	}

	/** What nobody wants to watch, such as a page that loads. */
	async leaveOut(work: () => Promise<unknown>): Promise<void> {
		this.isLeavingOut = true;
		try {
			await work();
		} finally {
			this.isLeavingOut = false;
		}
		await this.takePicture();
	}

	/** Chromium sends no picture of what it has painted already. */
	private async takePicture(): Promise<void> {
		this.keep(await this.page.screenshot({ type: 'jpeg', quality: 92 }), now());
	}

	/** Time to look at what there is now. */
	async stay(seconds: number): Promise<void> {
		await this.page.waitForTimeout(SETTLING_MS);
		this.events.push({ kind: 'stay', at: now(), seconds });
	}

	/** Ends the recording and writes the film. */
	async finish(film: string): Promise<void> {
		await this.session.send('Page.stopScreencast');
		// A picture may arrive after a line that was said later.
		const timeline = timelineOf([...this.events].sort((one, other) => one.at - other.at));
		const [list, lines] = [join(this.folder, 'pictures.txt'), join(this.folder, 'lines.ass')];
		const { width, height } = WINDOW;
		const whole = { width, height: height + BAR, bar: BAR };
		writeFileSync(list, listOf(timeline));
		writeFileSync(lines, subtitlesOf(timeline, whole));
		const filters = [
			`fps=${FRAMES_PER_SECOND}`,
			`scale=${width}:${height}`,
			`pad=${width}:${whole.height}:0:0:color=0x1b2130`,
			`ass=${lines}`,
			'format=yuv420p',
		];
		runFfmpeg([
			...['-f', 'concat', '-safe', '0', '-i', list, '-vf', filters.join()],
			...['-c:v', 'libx264', '-preset', 'fast', '-crf', '23', '-movflags', '+faststart', film],
		]);
	}
}
