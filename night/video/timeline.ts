/**
 * When what is seen in the video. Pure. A recording runs at the pace of the machine: a still picture
 * is shortened, and one whose line has not been read yet is kept.
 */

export interface Line {
	/** The number and name of the chapter. */
	readonly chapter: string;
	readonly text: string;
}

export type Event =
	/** A picture of the page, which stays until the next one. */
	| { readonly kind: 'picture'; readonly at: number; readonly file: string }
	/** A line below the pictures, which stays until the next one. */
	| { readonly kind: 'line'; readonly at: number; readonly line: Line }
	/** The picture shown now stays this much longer. */
	| { readonly kind: 'stay'; readonly at: number; readonly seconds: number };

interface ShownPicture {
	readonly file: string;
	readonly seconds: number;
}

interface ShownLine extends Line {
	readonly from: number;
	readonly to: number;
}

export interface Timeline {
	readonly pictures: readonly ShownPicture[];
	readonly lines: readonly ShownLine[];
	readonly seconds: number;
}

/** Nothing moves for longer than this while the page loads. */
const MAX_STILL = 1;
const CHARACTERS_PER_SECOND = 17;
const MIN_READING = 2.5;

const readingOf = ({ text }: Line): number =>
	Math.max(MIN_READING, text.length / CHARACTERS_PER_SECOND);

/** The times of the events are seconds of any clock, in order; those of the result begin at 0. */
export function timelineOf(events: readonly Event[]): Timeline {
	const pictures: { file: string; seconds: number }[] = [];
	const lines: { line: Line; from: number; to: number }[] = [];
	let now = 0;
	let last = events[0]?.at ?? 0;
	const pass = (seconds: number): void => {
		now += seconds;
		const picture = pictures.at(-1);
		if (picture !== undefined) picture.seconds += seconds;
	};
	const endLine = (): void => {
		const shown = lines.at(-1);
		if (shown === undefined) return;
		pass(Math.max(0, readingOf(shown.line) - (now - shown.from)));
		shown.to = now;
	};
	/** How long nothing has moved. */
	let still = 0;
	for (const event of events) {
		const passed = Math.min(event.at - last, MAX_STILL - still);
		pass(passed);
		still += passed;
		last = event.at;
		switch (event.kind) {
			case 'picture':
				still = 0;
				pictures.push({ file: event.file, seconds: 0 });
				break;
			case 'line':
				endLine();
				lines.push({ line: event.line, from: now, to: now });
				break;
			case 'stay':
				pass(event.seconds);
				break;
		}
	}
	endLine();
	return {
		pictures: pictures.filter(({ seconds }) => seconds > 0),
		lines: lines.map(({ line: { chapter, text }, from, to }) => ({ chapter, text, from, to })),
		seconds: now,
	};
}

/** For ffmpeg's "concat", which takes the last picture only if it comes twice. */
export function listOf({ pictures }: Timeline): string {
	const entries = pictures.map(
		({ file, seconds }) => `file '${file}'\nduration ${seconds.toFixed(3)}\n`,
	);
	const last = pictures.at(-1);
	return `${entries.join('')}${last === undefined ? '' : `file '${last.file}'\n`}`;
}

export interface Bar {
	readonly width: number;
	readonly height: number;
	/** Of the bar below the pictures, which is a part of the height. */
	readonly bar: number;
}

const FONT_SIZE = 25;
const MARGIN = 28;

/** The lines as subtitles in ASS, in a bar below the pictures. */
export function subtitlesOf({ lines }: Timeline, { width, height, bar }: Bar): string {
	const place = `{\\an4\\pos(${MARGIN},${height - bar / 2})}`;
	const dialogues = lines.map(
		({ chapter, text, from, to }) =>
			`Dialogue: 0,${clock(from)},${clock(to)},Line,,0,0,0,,${place}{\\b1\\c&H4DAFFF&}${chapter}{\\b0\\c&HFFFFFF&}   ${text}`,
	);
	return `[Script Info]
ScriptType: v4.00+
PlayResX: ${width}
PlayResY: ${height}
WrapStyle: 2

[V4+ Styles]
Format: Name, Fontname, Fontsize, PrimaryColour, OutlineColour, BackColour, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV
Style: Line,sans-serif,${FONT_SIZE},&HFFFFFF,&H0,&H0,1,0,0,4,${MARGIN},${MARGIN},0

[Events]
Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
${dialogues.join('\n')}
`;
}

/** As ASS writes times: hours, minutes, seconds and hundredths. */
function clock(seconds: number): string {
	const hundredths = Math.round(seconds * 100);
	const two = (value: number) => String(Math.floor(value)).padStart(2, '0');
	const [hours, minutes] = [hundredths / 360_000, (hundredths / 6_000) % 60];
	return `${Math.floor(hours)}:${two(minutes)}:${two((hundredths / 100) % 60)}.${two(hundredths % 100)}`;
}
