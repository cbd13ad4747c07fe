// What a camera has taken, and the frames that a film shows of it.

export interface Point {
	x: number;
	y: number;
}

export interface Shot {
	/** The page, as a PNG file. */
	png: Buffer;
	/** How long it is shown. */
	ms: number;
	/** The sentence below the page. */
	caption: string;
	/** The way of the pointer, which no picture of a page has. */
	pointer: { from: Point; to: Point };
	/** Whether the pointer presses where it arrives. */
	presses?: boolean | undefined;
}

export interface DrawnFrame extends Point {
	caption: string;
	pressed: boolean;
	ms: number;
}

export const MOVE_MS = 600;
const PRESS_MS = 150;
const STEP_MS = 50;

/** A frame for each step of the pointer, and one for the rest of the time. */
export function framesOf({ ms, caption, pointer: { from, to }, presses }: Shot): DrawnFrame[] {
	const frames: DrawnFrame[] = [];
	const add = (place: Point, shown: number, pressed = false) => {
		if (shown > 0) frames.push({ ...place, caption, pressed, ms: shown });
	};
	const moves = from.x !== to.x || from.y !== to.y;
	const steps = moves ? Math.floor(Math.min(MOVE_MS, ms) / STEP_MS) : 0;
	for (let step = 1; step <= steps; step++) add(onTheWay(from, to, step / steps), STEP_MS);
	const left = ms - steps * STEP_MS;
	const pressed = presses === true ? Math.min(PRESS_MS, left) : 0;
	add(to, left - pressed);
	add(to, pressed, true);
	return frames;
}

/** Slow at both ends, as a hand moves. */
function onTheWay(from: Point, to: Point, part: number): Point {
	const eased = 0.5 - Math.cos(part * Math.PI) / 2;
	return { x: from.x + (to.x - from.x) * eased, y: from.y + (to.y - from.y) * eased };
}
