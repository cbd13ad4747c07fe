// Pictures that a browser has encoded as VP9, as one WebM file. The browser has no way to write the
// container, and so no encoder has to be installed: https://www.matroska.org/technical/elements.html

export interface EncodedFrame {
	/** Since the beginning (ms). */
	at: number;
	/** Whether it can be shown without those before it. */
	key: boolean;
	data: Buffer;
}

export interface VideoSize {
	width: number;
	height: number;
	/** How long the whole is shown. */
	ms: number;
}

const ID = {
	head: 0x1a45dfa3,
	headVersion: 0x4286,
	headReadVersion: 0x42f7,
	maxIdLength: 0x42f2,
	maxSizeLength: 0x42f3,
	docType: 0x4282,
	docTypeVersion: 0x4287,
	docTypeReadVersion: 0x4285,
	segment: 0x18538067,
	info: 0x1549a966,
	timestampScale: 0x2ad7b1,
	duration: 0x4489,
	muxingApp: 0x4d80,
	writingApp: 0x5741,
	tracks: 0x1654ae6b,
	track: 0xae,
	trackNumber: 0xd7,
	trackUid: 0x73c5,
	trackType: 0x83,
	lacing: 0x9c,
	codec: 0x86,
	video: 0xe0,
	width: 0xb0,
	height: 0xba,
	cues: 0x1c53bb6b,
	cue: 0xbb,
	cueTime: 0xb3,
	cuePlaces: 0xb7,
	cueTrack: 0xf7,
	cuePlace: 0xf1,
	cluster: 0x1f43b675,
	clusterTime: 0xe7,
	block: 0xa3,
} as const;

const APP = 'n8n-nodes-leadgen-publishing';
const NANOSECONDS_PER_MS = 1_000_000;
const VIDEO = 1;
const TRACK = 1;
const KEY_FRAME = 0x80;
/** A block says when it comes after the beginning of its cluster in 15 bits. */
const MAX_CLUSTER_MS = 0x7fff;

/** A cluster begins with each frame that needs no other, and each has an entry in the index. */
export function webm(frames: readonly EncodedFrame[], size: VideoSize): Buffer {
	const groups = groupsOf(frames);
	const front = [information(size), tracks(size)];
	const clusters = groups.map(clusterOf);
	const before = lengthOf(front) + index(groups, []).length;
	const places = clusters.map((_, place) => before + lengthOf(clusters.slice(0, place)));
	return Buffer.concat([head(), element(ID.segment, ...front, index(groups, places), ...clusters)]);
}

function groupsOf(frames: readonly EncodedFrame[]): EncodedFrame[][] {
	const groups: EncodedFrame[][] = [];
	for (const frame of frames) {
		const group = groups.at(-1);
		if (frame.key) groups.push([frame]);
		else if (group === undefined) throw new Error('the first frame needs another one');
		else if (frame.at - startOf(group) > MAX_CLUSTER_MS)
			throw new Error('a frame comes too long after the last one that needs no other');
		else group.push(frame);
	}
	return groups;
}

const startOf = (group: readonly EncodedFrame[]): number => group[0]?.at ?? 0;

const head = (): Buffer =>
	element(
		ID.head,
		element(ID.headVersion, uint(1)),
		element(ID.headReadVersion, uint(1)),
		element(ID.maxIdLength, uint(4)),
		element(ID.maxSizeLength, uint(8)),
		element(ID.docType, Buffer.from('webm')),
		element(ID.docTypeVersion, uint(4)),
		element(ID.docTypeReadVersion, uint(2)),
	);

function information({ ms }: VideoSize): Buffer {
	const duration = Buffer.alloc(8);
	duration.writeDoubleBE(ms);
	return element(
		ID.info,
		element(ID.timestampScale, uint(NANOSECONDS_PER_MS)),
		element(ID.duration, duration),
		element(ID.muxingApp, Buffer.from(APP)),
		element(ID.writingApp, Buffer.from(APP)),
	);
}

const tracks = ({ width, height }: VideoSize): Buffer =>
	element(
		ID.tracks,
		element(
			ID.track,
			element(ID.trackNumber, uint(TRACK)),
			element(ID.trackUid, uint(TRACK)),
			element(ID.trackType, uint(VIDEO)),
			element(ID.lacing, uint(0)),
			element(ID.codec, Buffer.from('V_VP9')),
			element(ID.video, element(ID.width, uint(width)), element(ID.height, uint(height))),
		),
	);

/** Always of the same length, whatever the places. */
const index = (groups: readonly EncodedFrame[][], places: readonly number[]): Buffer =>
	element(
		ID.cues,
		...groups.map((group, place) =>
			element(
				ID.cue,
				element(ID.cueTime, uint(startOf(group))),
				element(
					ID.cuePlaces,
					element(ID.cueTrack, uint(TRACK)),
					element(ID.cuePlace, uint(places[place] ?? 0)),
				),
			),
		),
	);

function clusterOf(group: readonly EncodedFrame[]): Buffer {
	const start = startOf(group);
	const blocks = group.map(({ at, key, data }) => {
		const header = Buffer.alloc(4);
		header.writeUInt8(0x80 | TRACK, 0);
		header.writeInt16BE(at - start, 1);
		header.writeUInt8(key ? KEY_FRAME : 0, 3);
		return element(ID.block, header, data);
	});
	return element(ID.cluster, element(ID.clusterTime, uint(start)), ...blocks);
}

/** A name, a length in eight bytes, the content. */
function element(id: number, ...content: readonly Buffer[]): Buffer {
	const name = Buffer.from(hex(id), 'hex');
	const length = Buffer.alloc(8);
	length.writeBigUInt64BE(BigInt(lengthOf(content)) | (1n << 56n));
	return Buffer.concat([name, length, ...content]);
}

function hex(id: number): string {
	const digits = id.toString(16);
	return digits.padStart(digits.length + (digits.length % 2), '0');
}

function uint(value: number): Buffer {
	const bytes = Buffer.alloc(8);
	bytes.writeBigUInt64BE(BigInt(value));
	return bytes;
}

const lengthOf = (buffers: readonly Buffer[]): number =>
	buffers.reduce((sum, { length }) => sum + length, 0);
