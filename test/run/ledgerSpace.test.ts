/**
 * How much space the ledger gives to what: to the byte, because what one item takes is missing to
 * the others, and n8n stores all of it with each execution.
 */
import type { FailureFacts } from '../../nodes/LeadGenPublishing/api/failure';
import type { JsonRecord } from '../../nodes/LeadGenPublishing/api/schemas';
import { Ledger } from '../../nodes/LeadGenPublishing/run/writeOnce/ledger';
import {
	emptyPacked,
	PackedRecords,
	type Packed,
} from '../../nodes/LeadGenPublishing/run/writeOnce/packedRecords';
import { recordOf } from '../../nodes/LeadGenPublishing/run/writeOnce/storedFailure';

const UUID = '6f1c2f0e-7d4b-4a53-9d53-0c1f0a6c1b11';
const NONE = () => [];
const RUN = '0/a/';
const opened = (context: JsonRecord = {}) => ({
	context,
	ledger: Ledger.open(context, { seed: 'seed', run: RUN }),
});
const packedIn = (context: JsonRecord, name: 'results' | 'failed'): Packed => {
	const { runs } = context.leadGenPublishingWrites as { runs: Record<string, JsonRecord> };
	return JSON.parse(JSON.stringify(runs[RUN]?.[name])) as Packed;
};

/** The text with which a record of the item takes so many bytes beside what is there. */
function textFor(
	{ bytes, item }: { bytes: number; item: number },
	of: (text: string) => JsonRecord,
	packed = emptyPacked(),
): string {
	// No text has anything in common with those before it.
	const letter = String.fromCharCode(65 + packed.texts.length);
	const size = new PackedRecords(packed).set(item, of(letter.repeat(100))) ?? 0;
	return letter.repeat(bytes - size + 100);
}

interface Setting {
	readonly size: number;
	readonly item: number;
	readonly readable?: boolean;
	/** What was done before for item 0. */
	readonly before?: (ledger: Ledger) => void;
}

/** Whether a result of so many bytes is kept, and not its ID alone. */
function isKept(bytes: number, { size, item, readable = false, before }: Setting): boolean {
	const { context, ledger } = opened();
	before?.(ledger);
	const of = (text: string) => ({ id: UUID, text });
	const text = textFor({ bytes, item }, of, packedIn(context, 'results'));
	ledger.setDone(item, { result: of(text), readable, itemTexts: NONE, size });
	return ledger.entry(item, NONE)?.state === 'done';
}

const id = (ledger: Ledger, given: string | undefined, size: number, item = 0) =>
	ledger.setDone(item, {
		result: { ...(given === undefined ? {} : { id: given }), text: 'x'.repeat(700_000) },
		...{ readable: false, itemTexts: NONE, size },
	});
const done = (ledger: Ledger, bytes: number, size: number) => {
	const of = (text: string) => ({ id: UUID, text });
	ledger.setDone(0, {
		result: of(textFor({ bytes, item: 0 }, of)),
		...{ readable: false, itemTexts: NONE, size },
	});
};

it.each<[string, number, Setting]>([
	['all of it for a single item', 289_000, { size: 1, item: 0 }],
	['but for the ID of the only other one', 289_000 - 22, { size: 2, item: 0 }],
	['but for the IDs of those after it', 289_000 - 22 * 2, { size: 6, item: 3 }],
	['as much for 10,000 items', 289_000, { size: 10_000, item: 9_999 }],
	['more for more items', 578_000, { size: 20_000, item: 19_999 }],
	[
		'what a result before it has left',
		189_000,
		{ size: 2, item: 1, before: (ledger) => done(ledger, 100_000, 2) },
	],
	[
		'what an ID before it has left',
		289_000 - 22,
		{ size: 2, item: 1, before: (ledger) => id(ledger, UUID, 2) },
	],
	[
		'all where nothing was kept before',
		289_000,
		{ size: 2, item: 1, before: (ledger) => id(ledger, undefined, 2) },
	],
	['a part for what a read gives again', 32_000, { size: 1, item: 0, readable: true }],
	[
		'the rest of that part',
		22_000,
		{ size: 2, item: 1, readable: true, before: (ledger) => done(ledger, 10_000, 2) },
	],
])('a result has %s: %i bytes', (_, bytes, setting) => {
	expect(isKept(bytes, setting)).toBe(true);
	expect(isKept(bytes + 1, setting)).toBe(false);
});

it('an ID that is no UUID takes what it needs', () => {
	const ids = ['short', 'another'];
	const before = (ledger: Ledger) => ids.forEach((one, item) => id(ledger, one, 3, item));
	const short = { size: 3, item: 2, before };
	const packed = new PackedRecords(emptyPacked());
	const taken = ids.reduce((sum, one, item) => sum + (packed.set(item, { id: one }) ?? 0), 0);
	expect(isKept(289_000 - taken, short)).toBe(true);
	expect(isKept(289_000 - taken + 1, short)).toBe(false);
});

it('a result refers to the parameters of its item only beyond its share', () => {
	const needsParameters = (bytes: number, size: number, item: number) => {
		const { ledger } = opened();
		const of = (text: string) => ({ text });
		const text = textFor({ bytes, item }, of);
		ledger.setDone(item, { result: { text }, readable: false, itemTexts: () => [text], size });
		expect(ledger.entry(item, () => [text])).toEqual({ state: 'done', result: { text } });
		return ledger.entry(item, NONE)?.state !== 'done';
	};
	expect([144_500, 144_501].map((bytes) => needsParameters(bytes, 2, 0))).toEqual([false, true]);
	expect([72_250, 72_251].map((bytes) => needsParameters(bytes, 8, 4))).toEqual([false, true]);
	expect([28, 29].map((bytes) => needsParameters(bytes, 10_000, 0))).toEqual([false, true]);
});

describe('a failure', () => {
	const FACTS: FailureFacts = {
		...{ kind: 'answered', endpoint: 'post.create', agency: false, status: 400 },
		...{ retryable: false, attempts: 1, uncertain: false },
	};
	const attempt = (text: string) => ({
		...{ execution: '1', refusals: 0 },
		facts: { ...FACTS, serviceDetails: { text } },
	});
	const add = ({ context, ledger }: ReturnType<typeof opened>, item: number, bytes: number) => {
		const of = (text: string) => recordOf(attempt(text));
		const text = textFor({ bytes, item }, of, packedIn(context, 'failed'));
		ledger.setFailed(item, attempt(text));
		const entry = ledger.entry(item, NONE);
		return entry?.state === 'failed' && entry.facts.serviceDetails?.text === text;
	};

	it('is kept in full up to 8,000 bytes', () => {
		expect([8_000, 8_001].map((bytes) => add(opened(), 0, bytes))).toEqual([true, false]);
	});

	it('is shortened where those before it have taken the space', () => {
		const afterEight = (bytes: number) => {
			const one = opened();
			for (let item = 0; item < 8; item += 1) expect(add(one, item, 8_000)).toBe(true);
			return add(one, 8, bytes);
		};
		// 64,000 bytes for all, and 110 for each of the nine.
		expect([990, 991].map(afterEight)).toEqual([true, false]);
	});
});

it('is not empty where it holds as many IDs as items without one', () => {
	const { ledger } = opened();
	id(ledger, UUID, 2);
	ledger.setDone(1, {
		result: { text: 'x'.repeat(700_000) },
		...{ readable: false, itemTexts: NONE, size: 2 },
	});
	expect(ledger.entry(1, NONE)).toEqual({ state: 'doneOnly' });
	expect(ledger.isEmpty).toBe(false);
});
