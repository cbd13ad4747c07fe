/**
 * The picture in docs/architecture.md: the rooms, their files, and an arrow wherever the code of
 * one imports another. Only the places of rooms and arrows are given by hand; a room or an
 * import without a place is an error, and so is a place for what the code does not have.
 */
import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import { importsOf, readSources, roomOf, type Import, type Source } from './imports';

export const PICTURE = join(__dirname, '..', '..', 'docs', 'images', 'architecture.svg');

interface Room {
	x: number;
	y: number;
	width: number;
	height: number;
	title: string;
	promise: string;
	columns: number;
}

const WIDTH = 1200;
const HEIGHT = 845;
const LINE = 17;
const GAP_ABOVE_FILES = 66;
/** The width of a letter of the files' font, and of the gap between two columns. */
const SIGN = 7.6;
const BETWEEN = 26;

const ROOMS: Readonly<Record<string, Room>> = {
	node: {
		...{ x: 30, y: 24, width: 900, height: 86, columns: 2 },
		title: 'nodes/LeadGenPublishing/',
		promise: 'what n8n loads: the item loop, and the start of a poll',
	},
	credentials: {
		...{ x: 950, y: 24, width: 220, height: 86, columns: 1 },
		title: 'credentials/',
		promise: 'key and address',
	},
	operations: {
		...{ x: 30, y: 170, width: 462, height: 206, columns: 3 },
		title: 'operations/',
		promise: 'what users see, beside how it runs; never a URL',
	},
	methods: {
		...{ x: 570, y: 170, width: 140, height: 190, columns: 1 },
		title: 'methods/',
		promise: 'searchable lists',
	},
	watch: {
		...{ x: 722, y: 170, width: 428, height: 222, columns: 4 },
		title: 'watch/',
		promise: "the trigger's engine: pure, time and chance handed in",
	},
	fields: {
		...{ x: 130, y: 420, width: 405, height: 158, columns: 3 },
		title: 'fields/',
		promise: 'groups of parameters that operations share',
	},
	output: {
		...{ x: 740, y: 420, width: 160, height: 100, columns: 1 },
		title: 'output/',
		promise: 'what is added to items',
	},
	api: {
		...{ x: 30, y: 620, width: 1140, height: 201, columns: 6 },
		title: 'api/',
		promise: "speaks HTTP and the service's language; has never heard of a node parameter",
	},
};

/** Where each arrow runs: down at this x, from the lower edge of one room to the next. */
const LANES: Readonly<Record<string, number | { from: number; to: number }>> = {
	'node → operations': 270,
	'node → fields': 512,
	'node → methods': 640,
	'node → watch': 830,
	'node → api': 552,
	'operations → fields': 320,
	'operations → output': { from: 470, to: 765 },
	'operations → api': 80,
	'fields → api': 320,
	'methods → api': 640,
	'watch → fields': { from: 745, to: 528 },
	'watch → output': 830,
	'output → api': 820,
	'watch → api': 920,
	'credentials → api': 1160,
};

const escape = (text: string) =>
	text.replace(/[&<>]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[sign] ?? sign);

function filesOf(name: string, sources: readonly Source[]): string[] {
	const own = sources.map(({ file }) => file).filter((file) => roomOf(file) === name);
	const inRoom = own.map((file) =>
		file.startsWith(`${name}/`) ? file.slice(name.length + 1) : basename(file),
	);
	const folders = new Map<string, number>();
	const files: string[] = [];
	for (const file of inRoom) {
		const [folder, rest] = file.split('/');
		if (folder !== undefined && rest !== undefined)
			folders.set(folder, (folders.get(folder) ?? 0) + 1);
		else files.push(file.replace(/(\.node|\.credentials)?\.ts$/, ''));
	}
	return [...[...folders].map(([folder, count]) => `${folder}/ (${count})`), ...files];
}

function drawRoom(name: string, sources: readonly Source[]): string {
	const room = ROOMS[name];
	if (room === undefined) throw new Error(`The room "${name}" has no place in the picture`);
	const { x, y, width, height, title, promise, columns } = room;
	const files = filesOf(name, sources);
	const rows = Math.ceil(files.length / columns);
	if (GAP_ABOVE_FILES + rows * LINE > height + 4)
		throw new Error(`The files of "${name}" do not fit into its room in the picture`);
	const widest = (column: number) =>
		Math.max(...files.slice(column * rows, (column + 1) * rows).map(({ length }) => length));
	const list = files.map((file, index) => {
		const before = [...Array(Math.floor(index / rows)).keys()];
		const left = before.reduce((sum, column) => sum + widest(column) * SIGN + BETWEEN, x + 14);
		const top = y + GAP_ABOVE_FILES + (index % rows) * LINE - 4;
		return `<text class="file" x="${left.toFixed(0)}" y="${top}">${escape(file)}</text>`;
	});
	return [
		`<rect class="room" x="${x}" y="${y}" width="${width}" height="${height}" rx="8"/>`,
		`<text class="title" x="${x + 14}" y="${y + 24}">${escape(title)}</text>`,
		`<text class="promise" x="${x + 14}" y="${y + 42}">${escape(promise)}</text>`,
		...list,
	].join('\n');
}

interface Arrow {
	from: string;
	to: string;
	count: number;
	typesOnly: boolean;
}

function arrowsOf(imports: readonly Import[]): Arrow[] {
	const arrows = new Map<string, Arrow>();
	for (const one of imports) {
		const [from, to] = [roomOf(one.from), roomOf(one.to)];
		if (!one.ours || from === to) continue;
		const key = `${from} → ${to}`;
		const known = arrows.get(key) ?? { from, to, count: 0, typesOnly: true };
		arrows.set(key, {
			...known,
			count: known.count + 1,
			typesOnly: known.typesOnly && one.typesOnly,
		});
	}
	const undrawn = Object.keys(LANES).filter((key) => !arrows.has(key));
	if (undrawn.length > 0) throw new Error(`The code no longer imports: ${undrawn.join(', ')}`);
	return [...arrows.values()];
}

function drawArrow({ from, to, count, typesOnly }: Arrow): string {
	const [above, below] = [ROOMS[from], ROOMS[to]];
	const lane = LANES[`${from} → ${to}`];
	if (above === undefined || below === undefined || lane === undefined)
		throw new Error(`The imports from "${from}" to "${to}" have no place in the picture`);
	const [top, bottom] = [above.y + above.height, below.y];
	if (top > bottom) throw new Error(`"${from}" lies below "${to}", but imports it`);
	const style = typesOnly ? ' stroke-dasharray="5 4"' : '';
	const middle = (top + bottom) / 2;
	const start = typeof lane === 'number' ? lane : lane.from;
	// A room that is not below the other is reached around one corner.
	const way = typeof lane === 'number' ? '' : ` V ${middle + 15} H ${lane.to}`;
	return [
		`<path class="arrow" d="M ${start} ${top}${way} V ${bottom - 2}" marker-end="url(#head)"${style}/>`,
		`<text class="count" x="${start + 8}" y="${(middle + 4).toFixed(0)}">${count}</text>`,
	].join('\n');
}

const STYLE = `
text { font-family: ui-sans-serif, system-ui, "Segoe UI", Helvetica, Arial, sans-serif; fill: #1f2328; }
.paper { fill: #ffffff; }
.room { fill: #f4f6fa; stroke: #8c9bb5; }
.title { font-size: 16px; font-weight: 600; }
.promise { font-size: 12px; font-style: italic; fill: #59636e; }
.file { font-size: 12.5px; font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
.count { font-size: 12px; fill: #59636e; }
.arrow { fill: none; stroke: #4263a8; stroke-width: 1.6; }
#head path { fill: #4263a8; }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3; }
  .paper { fill: #0d1117; }
  .room { fill: #161b26; stroke: #4b5b78; }
  .promise, .count { fill: #9aa7b5; }
  .arrow { stroke: #7fa2e8; }
  #head path { fill: #7fa2e8; }
}`;

export function housePicture(): string {
	const sources = readSources();
	const rooms = [...new Set(sources.map(({ file }) => roomOf(file)))];
	const arrows = arrowsOf(importsOf(sources));
	return [
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" role="img">`,
		'<title>The rooms of the package, and which imports which</title>',
		`<style>${STYLE}\n</style>`,
		'<defs><marker id="head" markerWidth="9" markerHeight="9" refX="7" refY="4.5" orient="auto" markerUnits="userSpaceOnUse"><path d="M 0 0 L 9 4.5 L 0 9 z"/></marker></defs>',
		`<rect class="paper" width="${WIDTH}" height="${HEIGHT}"/>`,
		...arrows.map(drawArrow),
		...rooms.map((name) => drawRoom(name, sources)),
		'</svg>',
		'',
	].join('\n');
}

if (require.main === module) writeFileSync(PICTURE, housePicture());
