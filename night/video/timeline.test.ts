/** The video keeps a pace at which it can be read, however slow the machine was that recorded it. */
import { listOf, subtitlesOf, timelineOf, type Event } from './timeline';

const picture = (at: number, file = `${at}.jpg`): Event => ({ kind: 'picture', at, file });
const line = (at: number, text: string): Event => ({
	kind: 'line',
	at,
	line: { chapter: '1 Credential', text },
});
const stay = (at: number, seconds: number): Event => ({ kind: 'stay', at, seconds });

it('shows each picture until the next one, and none for longer than a second while nothing moves', () => {
	const { pictures, seconds } = timelineOf([
		picture(100),
		picture(100.25),
		picture(190),
		stay(191, 0),
	]);
	expect(pictures).toEqual([
		{ file: '100.jpg', seconds: 0.25 },
		{ file: '100.25.jpg', seconds: 1 },
		{ file: '190.jpg', seconds: 1 },
	]);
	expect(seconds).toBe(2.25);
});

it('counts a second without movement once, whatever is said in it', () => {
	const { seconds } = timelineOf([
		picture(0),
		line(5, 'a line'),
		picture(10),
		stay(15, 3),
		picture(20),
	]);
	// A second before the line, one after the second picture, and the stay.
	expect(seconds).toBe(1 + 1 + 3);
});

it('leaves each line there until it can have been read, and takes none away earlier', () => {
	const long = 'x'.repeat(85);
	const { lines, seconds } = timelineOf([
		picture(0),
		line(0, long),
		picture(0.5),
		line(0.5, 'short'),
		stay(0.5, 4),
	]);
	expect(lines.map(({ text, from, to }) => [text, from, to])).toEqual([
		[long, 0, 5],
		['short', 5, 9],
	]);
	expect(seconds).toBe(9);
});

it('lists the pictures for ffmpeg, the last one twice', () => {
	expect(listOf(timelineOf([picture(0, 'a.jpg'), picture(0.5, 'b.jpg'), stay(0.5, 2)]))).toBe(
		"file 'a.jpg'\nduration 0.500\nfile 'b.jpg'\nduration 2.000\nfile 'b.jpg'\n",
	);
});

it('writes the lines as subtitles in the bar below the pictures', () => {
	const timeline = timelineOf([picture(0), line(0, 'The key works'), stay(0, 3_725.5)]);
	const written = subtitlesOf(timeline, { width: 1440, height: 810, bar: 72 });
	expect(written).toContain('PlayResX: 1440\nPlayResY: 810\n');
	expect(written).toMatch(
		/^Dialogue: 0,0:00:00\.00,1:02:05\.50,.*\\pos\(28,774\).*The key works$/m,
	);
});
