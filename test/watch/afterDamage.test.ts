/**
 * A state of which nothing can be read: what is in the lists counts as delivered, though "Emit
 * Existing" is on, however many polls it takes until they can be read.
 */
import type { IDataObject } from 'n8n-workflow';

import { bareHost, idsIn, leads, pageOf, refusalOf, standingClock, type Answer } from './bareHost';

const [ADA, BOB] = [
	'6f1c2f0e-7d4b-4a53-9d53-0c1f0a6c1b11',
	'6f1c2f0e-7d4b-4a53-9d53-0c1f0a6c1b12',
] as const;
const parameters = { event: 'newLead', watch: 'allClients', options: { emitExisting: true } };
const damaged = () => ({ watch: { v: 2, line: 'x', turn: 7, lists: 'damaged' } });

let clock: ReturnType<typeof standingClock>;
/** What fails, by its path. */
let failing: string[] = [];
let throttled = false;
let listed: string[] = [];
let ids: string[] = [];
beforeEach(() => {
	clock = standingClock();
	[failing, throttled, listed, ids] = [[], false, [ADA, BOB], ['a', 'b']];
});
afterEach(() => {
	jest.restoreAllMocks();
});

const answer: Answer = ({ path }) => {
	if (failing.some((one) => path.endsWith(one))) return refusalOf(400, 'bad_request');
	if (throttled && path !== '/clients')
		return { ...refusalOf(429, 'rate_limited'), headers: { 'retry-after': '60' } };
	return pageOf(path === '/clients' ? listed.map((user_id) => ({ user_id })) : leads(...ids));
};
const hostWith = (data: IDataObject) => bareHost({ answer, parameters, data });

/** The IDs of what is delivered, or the error. */
async function pollOf(node: ReturnType<typeof bareHost>): Promise<unknown> {
	clock.advance(30 * 60_000);
	return await node.poll().then(idsIn, (error: unknown) => (error as Error).message);
}

describe.each([
	['the clients cannot be listed', ['/clients']],
	['a list cannot be read', [`${BOB}/leads`]],
	['nothing can be read', ['/clients', '/leads']],
])('where %s', (_, paths) => {
	it.each([1, 3])('at first, for %i polls, nothing is delivered that was there', async (polls) => {
		const node = hostWith(damaged());
		failing = paths;
		for (let poll = 0; poll < polls; poll++) await pollOf(node);
		failing = [];
		for (let poll = 0; poll < 3; poll++) expect(await pollOf(node)).not.toEqual(expect.any(Array));
		ids = ['new', ...ids];
		expect(await pollOf(node)).toEqual(['new', 'new']);
	});

	it('at first, nothing is delivered after a restart either', async () => {
		const node = hostWith(damaged());
		failing = paths;
		for (let poll = 0; poll < 3; poll++) await pollOf(node);
		failing = [];
		node.restart();
		for (let poll = 0; poll < 3; poll++) expect(await pollOf(node)).not.toEqual(expect.any(Array));
		ids = ['new', ...ids];
		expect(await pollOf(node)).toEqual(['new', 'new']);
	});
});

it('a list that the first poll does not reach delivers nothing that was there either', async () => {
	const node = hostWith(damaged());
	listed = Array.from({ length: 12 }, (_, at) => `6f1c2f0e-7d4b-4a53-9d53-0c1f0a6c1b${10 + at}`);
	throttled = true;
	await pollOf(node);
	// Ten are begun at a time, and none after the service asked to wait.
	expect(node.takeAsked().length).toBeLessThan(12);
	throttled = false;
	for (let poll = 0; poll < 3; poll++) expect(await pollOf(node)).not.toEqual(expect.any(Array));
	ids = ['new', ...ids];
	expect(await pollOf(node)).toEqual(Array(12).fill('new'));
});

it('a client that joins later has existing leads all the same', async () => {
	const node = hostWith(damaged());
	listed = [ADA];
	for (let poll = 0; poll < 3; poll++) expect(await pollOf(node)).not.toEqual(expect.any(Array));
	listed = [ADA, BOB];
	expect(await pollOf(node)).toEqual(['a', 'b']);
});

it('without any damage, what is there is delivered once the clients can be listed', async () => {
	const node = hostWith({});
	failing = ['/clients'];
	for (let poll = 0; poll < 2; poll++) await pollOf(node);
	failing = [];
	expect(await pollOf(node)).toEqual(['a', 'b', 'a', 'b']);
});
