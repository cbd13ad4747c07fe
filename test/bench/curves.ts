// A picture of curves, written by hand: both axes alike, legible on light and on dark ground.

import type { Curve } from './result';

const WIDTH = 760;
const HEIGHT = 440;
const LEFT = 76;
const RIGHT = 36;
const TOP = 92;
const BOTTOM = 56;

const MOST_TICKS = 8;
/** Told apart by shape as well as by colour. */
const MARKS = ['circle', 'square', 'triangle', 'diamond'] as const;

const STYLE = `
	.ground { fill: #ffffff } .text { fill: #1f2328 } .faint { fill: #59636e }
	.grid { stroke: #d1d9e0 } .axis { stroke: #59636e }
	.s0 { stroke: #0969da; fill: #0969da } .s1 { stroke: #bc4c00; fill: #bc4c00 }
	.s2 { stroke: #8250df; fill: #8250df } .s3 { stroke: #1a7f37; fill: #1a7f37 }
	@media (prefers-color-scheme: dark) {
		.ground { fill: #0d1117 } .text { fill: #f0f6fc } .faint { fill: #9198a1 }
		.grid { stroke: #3d444d } .axis { stroke: #9198a1 }
		.s0 { stroke: #58a6ff; fill: #58a6ff } .s1 { stroke: #f0883e; fill: #f0883e }
		.s2 { stroke: #bc8cff; fill: #bc8cff } .s3 { stroke: #3fb950; fill: #3fb950 }
	}
	text { font-family: system-ui, sans-serif; font-size: 13px; stroke: none }
	.title { font-size: 16px; font-weight: 600 }
	path { fill: none } .line { stroke-width: 2.5; fill: none }`;

interface Scale {
	ticks: number[];
	at: (value: number) => number;
}

/** Round numbers from 0 on. */
function linearScale(values: number[], [from, to]: [number, number]): Scale {
	const most = Math.max(...values, 1);
	const power = 10 ** Math.floor(Math.log10(most));
	const tick = [power / 5, power / 2, power].find((one) => most / one <= MOST_TICKS) ?? power * 2;
	const count = Math.ceil(most / tick);
	const ticks = Array.from({ length: count + 1 }, (_, index) => index * tick);
	return { ticks, at: (value) => from + (value / (count * tick)) * (to - from) };
}

/** Whole powers of ten around the values. */
function logarithmicScale(values: number[], [from, to]: [number, number]): Scale {
	const low = Math.floor(Math.log10(Math.min(...values)));
	const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(...values))));
	const ticks = Array.from({ length: high - low + 1 }, (_, index) => 10 ** (low + index));
	return { ticks, at: (value) => from + ((Math.log10(value) - low) / (high - low)) * (to - from) };
}

export function picture(curve: Curve): string {
	const { scale = 'logarithmic' } = curve;
	const scaleOf = scale === 'linear' ? linearScale : logarithmicScale;
	const series = curve.series.map(({ name, points }) => ({
		name,
		points: points.filter(([x, y]) => scale === 'linear' || (x > 0 && y > 0)),
	}));
	const all = series.flatMap(({ points }) => points);
	const x = scaleOf(
		all.map(([value]) => value),
		[LEFT, WIDTH - RIGHT],
	);
	const y = scaleOf(
		all.map(([, value]) => value),
		[HEIGHT - BOTTOM, TOP],
	);
	return [
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${safe(curve.title)}">`,
		`<style>${STYLE}</style>`,
		`<rect class="ground" width="${WIDTH}" height="${HEIGHT}" rx="6"/>`,
		text(curve.title, { x: LEFT, y: 28, style: 'text title' }),
		...legend(series.map(({ name }) => name)),
		...axes(x, y, curve),
		// The first one last, so that nothing covers it.
		...series.map(({ points }, index) => drawn(points, { index, x, y })).reverse(),
		'</svg>\n',
	].join('\n');
}

function axes(x: Scale, y: Scale, curve: Curve): string[] {
	const bottom = HEIGHT - BOTTOM;
	const kind = curve.scale === 'linear' ? '' : ' (logarithmic)';
	const line = (style: string, d: string): string => `<path class="${style}" d="${d}"/>`;
	return [
		...y.ticks.flatMap((tick) => [
			line('grid', `M${LEFT} ${r(y.at(tick))}H${WIDTH - RIGHT}`),
			text(short(tick), { x: LEFT - 8, y: y.at(tick) + 4, style: 'faint', anchor: 'end' }),
		]),
		...x.ticks.flatMap((tick) => [
			line('grid', `M${r(x.at(tick))} ${TOP}V${bottom}`),
			text(short(tick), { x: x.at(tick), y: bottom + 18, style: 'faint', anchor: 'middle' }),
		]),
		line('axis', `M${LEFT} ${TOP}V${bottom}H${WIDTH - RIGHT}`),
		text(`${curve.x}${kind}`, {
			x: (LEFT + WIDTH - RIGHT) / 2,
			y: HEIGHT - 14,
			style: 'text',
			anchor: 'middle',
		}),
		`<g transform="translate(18 ${(TOP + bottom) / 2}) rotate(-90)">${text(`${curve.y}${kind}`, { x: 0, y: 0, style: 'text', anchor: 'middle' })}</g>`,
	];
}

const legend = (names: readonly string[]): string[] =>
	names.map((name, index) => {
		const at = { x: LEFT + 6 + (index % 2) * 300, y: 52 + Math.floor(index / 2) * 20 };
		return `<g class="s${index}">${mark(index, at.x, at.y)}</g>${text(name, { x: at.x + 14, y: at.y + 4, style: 'text' })}`;
	});

function drawn(
	points: ReadonlyArray<readonly [number, number]>,
	{ index, x, y }: { index: number; x: Scale; y: Scale },
): string {
	const places = points.map(([px, py]) => [x.at(px), y.at(py)] as const);
	const d = places.map(([px, py], step) => `${step === 0 ? 'M' : 'L'}${r(px)} ${r(py)}`).join('');
	const marks = places.map(([px, py]) => mark(index, px, py)).join('');
	return `<g class="s${index}"><path class="line" d="${d}"/>${marks}</g>`;
}

function mark(index: number, x: number, y: number): string {
	const [px, py] = [r(x), r(y)];
	switch (MARKS[index % MARKS.length]) {
		case 'square':
			return `<rect x="${r(x - 4.5)}" y="${r(y - 4.5)}" width="9" height="9"/>`;
		case 'triangle':
			return `<polygon points="${px},${r(y - 6)} ${r(x + 5.5)},${r(y + 4.5)} ${r(x - 5.5)},${r(y + 4.5)}"/>`;
		case 'diamond':
			return `<polygon points="${px},${r(y - 6)} ${r(x + 6)},${py} ${px},${r(y + 6)} ${r(x - 6)},${py}"/>`;
		default:
			return `<circle cx="${px}" cy="${py}" r="5"/>`;
	}
}

function text(
	content: string,
	{ x, y, style, anchor = 'start' }: { x: number; y: number; style: string; anchor?: string },
): string {
	return `<text class="${style}" x="${r(x)}" y="${r(y)}" text-anchor="${anchor}">${safe(content)}</text>`;
}

const r = (value: number): string => String(Math.round(value * 10) / 10);

const short = (tick: number): string =>
	tick >= 1_000_000 ? `${tick / 1_000_000} M` : tick.toLocaleString('en-GB');

const safe = (content: string): string =>
	content.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/"/g, '&quot;');
