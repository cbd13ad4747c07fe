/**
 * Later pages fail while the head can be read: new leads at the head still come with the next poll,
 * the failure is reported, and n8n is not told to stop.
 */
import type { IDataObject } from 'n8n-workflow';

import { OWN } from '../support/kit/index';
import { pageFrom, refused, throttled, type Reply } from '../support/replies';
import {
	advance,
	CHOSEN,
	gapsIn,
	HOUR,
	leads,
	MINUTE,
	numbered,
	playedTrigger,
	watching,
} from './playedTrigger';

const SIZE = 350;

/** The first page is shown, and every later one fails. */
async function watched(reply: Reply, parameters: IDataObject = OWN) {
	const node = await watching({ parameters, ids: numbered(SIZE).map((at) => `old ${at}`) });
	let isBroken = true;
	node.service.instead = {
		'/leads': (asked) =>
			isBroken && asked.offset > 0 ? reply : pageFrom(node.service.records, asked),
	};
	const repair = () => void (isBroken = false);
	return { node, repair };
}

it.each([
	['500', refused(500, 'internal_error')],
	['403', refused(403, 'forbidden')],
])('%s on every later page delays no new lead at the head', async (_, reply) => {
	const { node } = await watched(reply);
	const delivered: unknown[] = [];
	const errors: string[] = [];
	for (let poll = 0; poll < 80; poll++) {
		if (poll % 10 === 0) node.add(`new ${poll}`);
		advance(MINUTE);
		const outcome = await node.outcome();
		if (typeof outcome === 'string') errors.push(outcome);
		else delivered.push(...(outcome ?? []));
		// What the poll cannot deliver because it reports something comes with the next one.
		if (poll % 10 === 1) expect(delivered).toHaveLength(Math.floor(poll / 10) + 1);
	}
	expect(delivered).toHaveLength(8);
	expect(errors.length).toBeGreaterThanOrEqual(1);
});

it('the error does not make n8n stop, although the service rejects them permanently', async () => {
	const { node } = await watched(refused(403, 'forbidden'));
	const failures: unknown[] = [];
	for (let poll = 0; poll < 80; poll++) {
		advance(MINUTE);
		await node.poll().catch((error: unknown) => failures.push(error));
	}
	expect(failures.length).toBeGreaterThanOrEqual(1);
	for (const failure of failures) {
		expect(failure).not.toHaveProperty('failure.cause');
		expect(failure).not.toHaveProperty('httpCode', '403');
	}
});

it('the failing pages are tried less and less often, while the head is read in each poll', async () => {
	const { node } = await watched(refused(500, 'internal_error'));
	node.takeAsked();
	const tried: number[] = [];
	for (let poll = 0; poll < 150; poll++) {
		await node.outcomes(1);
		const asked = node.takeAsked().filter(({ path }) => path.endsWith('/leads'));
		expect(asked[0]?.offset).toBe(0);
		if (asked.some(({ offset }) => offset > 0)) tried.push(poll);
	}
	// At least half of ten minutes, after a while.
	expect(Math.min(...gapsIn(tried).slice(-8))).toBeGreaterThanOrEqual(5);
});

it('the complete check goes on once the pages can be read again', async () => {
	const { node, repair } = await watched(refused(500, 'internal_error'));
	await node.outcomes(120);
	repair();
	node.service.records.splice(200, 0, ...leads('in the middle'));
	const outcomes = await node.outcomes(75);
	expect(outcomes.flatMap((one) => (Array.isArray(one) ? one : []))).toEqual(['in the middle']);
});

it('the error of a client says that its list was only read in part', async () => {
	const { node } = await watched(refused(500, 'internal_error'), CHOSEN);
	const outcomes = await node.outcomes(80);
	const errors = outcomes.filter((one) => typeof one === 'string');
	expect(errors.length).toBeGreaterThanOrEqual(1);
	for (const message of errors)
		expect(message).toMatch(/^Later pages of the leads of 2 accounts could not be read: /);
});

it('if the service asks to wait on a later page, nothing is requested until then', async () => {
	const { node } = await watched(throttled(HOUR / 1_000));
	const requests: number[] = [];
	for (let poll = 0; poll < 120; poll++) {
		advance(MINUTE);
		await node.outcome();
		requests.push(node.takeAsked().length);
	}
	const failed = requests.findIndex((count) => count > 1);
	expect(requests.slice(failed + 1, failed + 59).filter((count) => count > 0)).toEqual([]);
});

it.each([
	['500', refused(500, 'internal_error')],
	['429 with a time to wait', throttled(30)],
])('new leads come if every later page has always answered %s', async (_, reply) => {
	const node = playedTrigger({ ids: numbered(SIZE).map((at) => `old ${at}`) });
	node.service.instead = {
		'/leads': (asked) => (asked.offset > 0 ? reply : pageFrom(node.service.records, asked)),
	};
	await node.outcomes(10);
	const delivered: unknown[] = [];
	for (const id of numbered(10)) {
		node.add(id);
		delivered.push(...(await node.outcomes(12)).flatMap((one) => (Array.isArray(one) ? one : [])));
	}
	expect(delivered).toEqual(numbered(10));
});

it('an old lead that moves to the front does not come while a throttled first reading advances', async () => {
	const node = playedTrigger({ ids: numbered(6_000).map((at) => `old ${at}`) });
	let pagesLeft = 0;
	node.service.instead = {
		'/leads': (asked) =>
			asked.offset > 0 && pagesLeft-- <= 0 ? throttled(30) : pageFrom(node.service.records, asked),
	};
	const { records } = node.service;
	for (let poll = 0; poll < 40; poll++) {
		pagesLeft = 3;
		const [outcome] = await node.outcomes(1);
		expect(Array.isArray(outcome)).toBe(false);
		// An update moves it, in a list that is sorted by updates.
		records.unshift(...records.splice(-1));
	}
	// The first reading has not ended: otherwise the test would show nothing.
	const ofLeads = node.takeAsked().filter(({ path }) => path.endsWith('/leads'));
	const offsets = ofLeads.map(({ offset }) => offset);
	expect(Math.max(...offsets)).toBeLessThan(5_900);
	expect(offsets.filter((offset) => offset > 0).length).toBeGreaterThan(10);
});
