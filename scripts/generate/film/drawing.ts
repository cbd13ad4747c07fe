// Draws the shots of a film in a page of its own, as pictures or as one video.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Browser, Page } from 'playwright-core';

import { asRecord } from '../../n8n/n8nApi';
import type { Frame } from '../animatedWebp';
import { CAPTION_HEIGHT, ROOM } from './camera';
import { framesOf, type Shot } from './shots';
import { webm, type EncodedFrame, type VideoSize } from './webm';

const SCRIPT = readFileSync(join(__dirname, 'frameDrawing.js'), 'utf8');
/** Only a page with a trusted address may encode. Nobody is asked for this one. */
const ADDRESS = 'http://localhost/film';
const NAME = 'drawing';
const VIDEO = { codec: 'vp09.00.31.08', bitrate: 1_500_000, bitrateMode: 'variable' };
const VIDEO_TYPE = 'video/webm';
/** Whoever jumps in the film lands at one of these. */
const KEY_FRAME_EVERY_MS = 5_000;
/** A picture that stays is encoded again, and gets clearer. */
const REPEAT_MS = 250;

export const sizeAt = (scale: number): { width: number; height: number } => ({
	width: ROOM.width * scale,
	height: (ROOM.height + CAPTION_HEIGHT) * scale,
});

/** As pictures, each with its time. */
export async function drawPictures(
	browser: Browser,
	shots: readonly Shot[],
	{ scale, quality }: { scale: number; quality: number },
): Promise<Frame[]> {
	return await onPage(browser, scale, async (call) => {
		const frames: Frame[] = [];
		for (const shot of shots) {
			await call('load', shot.png.toString('base64'));
			for (const frame of framesOf(shot)) {
				await call('draw', frame);
				const webp = await call('asFile', 'image/webp', quality);
				frames.push({ webp: Buffer.from(String(webp), 'base64'), ms: frame.ms });
			}
		}
		return frames;
	});
}

/** The last frame of a shot, as a JPEG file that is no larger than it may be. */
export async function drawStill(
	browser: Browser,
	shot: Shot,
	{ scale, maxBytes }: { scale: number; maxBytes: number },
): Promise<Buffer> {
	return await onPage(browser, scale, async (call) => {
		await call('load', shot.png.toString('base64'));
		await call('draw', { ...shot.pointer.to, caption: shot.caption, pressed: false });
		for (let quality = 0.9; quality > 0.3; quality -= 0.05) {
			const file = Buffer.from(String(await call('asFile', 'image/jpeg', quality)), 'base64');
			if (file.length <= maxBytes) return file;
		}
		throw new Error(`the picture does not fit into ${maxBytes} bytes`);
	});
}

/** As a WebM file, which the browser has played. */
export async function drawVideo(browser: Browser, shots: readonly Shot[]): Promise<Buffer> {
	return await onPage(browser, 1, async (call) => {
		await call('startVideo', VIDEO);
		let at = 0;
		let keyAt = 0;
		for (const shot of shots) {
			await call('load', shot.png.toString('base64'));
			for (const frame of framesOf(shot)) {
				await call('draw', frame);
				for (let shown = 0; shown < frame.ms; shown += REPEAT_MS) {
					const isKey = at + shown >= keyAt;
					if (isKey) keyAt = at + shown + KEY_FRAME_EVERY_MS;
					await call('encode', at + shown, isKey);
				}
				at += frame.ms;
			}
		}
		const encoded = await call('endVideo');
		const frames = Array.isArray(encoded) ? encoded.map(encodedFrame) : [];
		const size = { ...sizeAt(1), ms: at };
		const file = webm(frames, size);
		checkPlayed(asRecord(await call('play', VIDEO_TYPE, file.toString('base64'))), size);
		return file;
	});
}

function encodedFrame(given: unknown): EncodedFrame {
	const { at, key, data } = asRecord(given);
	return { at: Number(at), key: key === true, data: Buffer.from(String(data), 'base64') };
}

/** A browser reads the file as it was meant. */
function checkPlayed(played: Record<string, unknown>, { width, height, ms }: VideoSize): void {
	const { width: playedWidth, height: playedHeight, ms: playedMs } = played;
	const isSame = playedWidth === width && playedHeight === height;
	if (isSame && Math.abs(Number(playedMs) - ms) < 1) return;
	throw new Error(
		`the browser plays ${String(playedMs)} ms of ${String(playedWidth)} × ${String(playedHeight)}, and not ${ms} ms of ${width} × ${height}`,
	);
}

type Call = (method: string, ...given: unknown[]) => Promise<unknown>;

async function onPage<T>(
	browser: Browser,
	scale: number,
	work: (call: Call) => Promise<T>,
): Promise<T> {
	const page = await browser.newPage();
	try {
		const contentType = 'text/html';
		await page.route('**', (route) => route.fulfill({ contentType, body: '<!doctype html>' }));
		await page.goto(ADDRESS);
		await page.evaluate(`globalThis.${NAME} = ${SCRIPT}`.replace(/;\s*$/, '; undefined'));
		const call: Call = (method, ...given) => callOn(page, method, given);
		await call('setUp', { ...ROOM, captionHeight: CAPTION_HEIGHT, scale });
		return await work(call);
	} finally {
		await page.close();
	}
}

const callOn = async (page: Page, method: string, given: unknown[]): Promise<unknown> =>
	await page.evaluate<unknown>(`${NAME}.${method}(...${JSON.stringify(given)})`);
