/** What is remembered of writes stays small, as n8n stores it with the execution, and says the same again. */
import type { IExecuteFunctions } from 'n8n-workflow';
import { parse, stringify } from 'flatted';

import type { FailureFacts } from '../../nodes/LeadGenPublishing/api/failure';
import { keyFrom } from '../../nodes/LeadGenPublishing/api/idempotency';
import { newRequestId } from '../../nodes/LeadGenPublishing/api/requestId';
import type { ItemCall } from '../../nodes/LeadGenPublishing/operations/define';
import { Values } from '../../nodes/LeadGenPublishing/parameters/values';
import { textsOfItem } from '../../nodes/LeadGenPublishing/run/writeOnce/itemTexts';
import { Ledger } from '../../nodes/LeadGenPublishing/run/writeOnce/ledger';
import { idsFor, inputItem, REMEMBERED, SAMPLES, type Json } from './writeSamples';

const MANY = 10_000;
const OPEN = { seed: keyFrom('seed'), run: '0/write/' };
const NONE = () => [];
const bytes = (context: Json) => Buffer.byteLength(stringify(context));
/** As n8n gives it to the next try: stored, and read again. */
const reopened = (context: Json) => Ledger.open(parse(stringify(context)) as Json, OPEN);

/** `expect` takes a millisecond for each of so many. */
const isSame = (a: unknown, b: unknown) => {
	if (JSON.stringify(a) !== JSON.stringify(b)) expect(a).toEqual(b);
};
const sorted = (value: unknown): unknown =>
	typeof value !== 'object' || value === null
		? value
		: Object.entries(value)
				.filter(([, entry]) => entry !== undefined)
				.map(([name, entry]) => [name, sorted(entry)])
				.sort();

const REFUSED: FailureFacts = {
	kind: 'answered',
	endpoint: 'post.create',
	agency: false,
	status: 400,
	code: 'bad_request',
	serviceMessage: 'Words of the service',
	requestId: newRequestId('4711-abc', 1),
	retryable: false,
	attempts: 1,
	uncertain: false,
};

it('has a sample of every write that is remembered', () => {
	expect(REMEMBERED.map(([name]) => name).sort()).toEqual(Object.keys(SAMPLES).sort());
});

describe.each(REMEMBERED)('%s', (name, _, operation) => {
	const id = idsFor();
	const itemTexts = (item: number) => {
		const parameters = SAMPLES[name]?.parameters(item, id) ?? {};
		return () => {
			const functions: Partial<IExecuteFunctions> = {
				getInputData: () => ({ [item]: inputItem(name, item) }) as never,
			};
			const input = new Values((key) => parameters[key]);
			return textsOfItem(operation, { input, functions, itemIndex: item } as unknown as ItemCall);
		};
	};
	const resultOf = (item: number) => SAMPLES[name]?.result(item, id) ?? {};
	const readable = operation.recall !== undefined;
	const fill = (size: number, failing: number) => {
		const context: Json = {};
		const ledger = Ledger.open(context, OPEN);
		for (let item = 0; item < size; item += 1) {
			if (item === failing) ledger.setFailed(item, { execution: '1', facts: REFUSED, refusals: 0 });
			else
				ledger.setDone(item, {
					result: resultOf(item),
					readable,
					itemTexts: itemTexts(item),
					size,
				});
		}
		return context;
	};

	it('of 10,000 items with one failure takes less than 300 kB, and keeps what there is to keep', () => {
		const context = fill(MANY, 7_000);
		expect(bytes(context)).toBeLessThan(300_000);
		const ledger = reopened(context);
		const states = { done: 0, doneById: 0, doneOnly: 0, failed: 0 };
		for (let item = 0; item < MANY; item += 1) {
			const entry = ledger.entry(item, itemTexts(item));
			if (entry === undefined) throw new Error(`Nothing is known of item ${item}`);
			states[entry.state] += 1;
			if (entry.state === 'done') isSame(entry.result, resultOf(item));
			if (entry.state === 'doneById') isSame(entry.id, resultOf(item).id);
		}
		expect(states.failed).toBe(1);
		// Nothing is lost: a result that no read gives again is there, or its ID at least.
		expect(states.doneOnly).toBe(0);
		if (!('id' in resultOf(0))) expect(states.done).toBe(MANY - 1);
	});

	it('of a few hundred items keeps every result that no read gives again, whatever the parameters become', () => {
		const ledger = reopened(fill(300, 299));
		for (let item = 0; item < 299; item += 1) {
			const entry = ledger.entry(item, NONE);
			if (!readable || entry?.state === 'done')
				expect(entry).toEqual({ state: 'done', result: resultOf(item) });
			else expect(entry).toEqual({ state: 'doneById', id: resultOf(item).id });
		}
	});
});

it('keeps the results that no read can give again, because they have no ID', () => {
	const context: Json = {};
	const ledger = Ledger.open(context, OPEN);
	const resultOf = (item: number) => ({ post_id: item, text: keyFrom('text', item).repeat(6) });
	for (let item = 0; item < 300; item += 1)
		ledger.setDone(item, { result: resultOf(item), readable: true, itemTexts: NONE, size: 301 });
	const again = reopened(context);
	for (let item = 0; item < 300; item += 1)
		expect(again.entry(item, NONE)).toEqual({ state: 'done', result: resultOf(item) });
});

it('keeps at least the ID of a result that refers to parameters which have changed', () => {
	const context: Json = {};
	const text = 'A text with the time of sending: 2030-01-31T10:00:00.000Z';
	const id = keyFrom('id');
	const about = { readable: false, itemTexts: () => [text], size: MANY };
	const ledger = Ledger.open(context, OPEN);
	ledger.setDone(0, { ...about, result: { id, text } });
	ledger.setDone(1, { ...about, result: { id: text, about: { text } } });
	const again = reopened(context);
	expect(again.entry(0, () => [text])).toEqual({ state: 'done', result: { id, text } });
	expect(again.entry(0, () => ['Another'])).toEqual({ state: 'doneById', id });
	expect(again.entry(1, () => ['Another'])).toEqual({ state: 'doneOnly' });
});

describe('10,000 items of unknown outcome', () => {
	it.each([
		['without a key', undefined, 530_000],
		['with a key each', 'keyed', 780_000],
	])('%s stay within a bound, and each is known as it was', (_, keyed, maxBytes) => {
		const context: Json = {};
		const ledger = Ledger.open(context, OPEN);
		const attemptOf = (item: number) => {
			const key = keyed && keyFrom('key', item);
			return {
				execution: '4711',
				facts: {
					...REFUSED,
					status: 502,
					code: 'upstream_error',
					uncertain: true,
					retryable: true,
					requestId: `n8n:4711-abc:${item}:${keyFrom(item).replace(/-/g, '').slice(0, 20)}`,
					serviceMessage: item % 2 === 0 ? 'One sentence of the service, which is long' : 'Another',
					...(key === undefined ? {} : { keyed: true, idempotencyKey: key }),
				},
				mayHaveSucceeded: key === undefined ? ('unkeyed' as const) : ('keyed' as const),
				request: {
					fingerprint: keyFrom('print', item).slice(0, 13),
					...(key === undefined ? {} : { key }),
				},
				refusals: 0,
			};
		};
		for (let item = 0; item < MANY; item += 1) ledger.setFailed(item, attemptOf(item));
		expect(bytes(context)).toBeLessThan(maxBytes);
		// A further try brings the same for each of them.
		for (let item = 0; item < MANY; item += 1) ledger.setFailed(item, attemptOf(item));
		expect(bytes(context)).toBeLessThan(maxBytes * 1.6);
		const again = reopened(context);
		for (let item = 0; item < MANY; item += 1) {
			const { state, ...attempt } = again.entry(item, NONE) ?? {};
			isSame(state, 'failed');
			isSame(sorted(attempt), sorted(attemptOf(item)));
		}
	});
});
