/** *Emit Existing* delivers each existing record once, also if the batches are small. */
import { OWN } from '../support/kit/index';
import { numbered, playedTrigger, type Outcome } from './playedTrigger';

const options = (emitExisting: boolean) => ({
	...OWN,
	options: { maxItemsPerPoll: 10, emitExisting },
});
const existing = (count: number): string[] => numbered(count).map((id) => `old ${id}`);
const idsIn = (outcomes: readonly Outcome[]): unknown[] =>
	outcomes.flatMap((one) => one ?? []).sort();

it.each([50, 250])(
	'turned on while a burst is delivered, it brings each of %s leads once',
	async (count) => {
		const ids = existing(count);
		const node = playedTrigger({ parameters: options(false), ids });
		await node.outcomes(10);
		const burst = numbered(100).map((id) => `new ${id}`);
		node.add(...burst);
		const before = await node.outcomes(3);
		node.host.parameters = options(true);
		const after = await node.outcomes(60);
		expect(idsIn([...before, ...after])).toEqual([...burst, ...ids].sort());
	},
);

it('turned on, off and on again, it brings each lead once, and new ones in between', async () => {
	const ids = existing(150);
	const node = playedTrigger({ parameters: options(false), ids });
	await node.outcomes(10);
	const all: Outcome[] = [];
	for (let poll = 0; poll < 60; poll++) {
		node.host.parameters = options(poll < 2 || poll > 30);
		if (poll % 9 === 0) node.add(`new ${poll}`);
		all.push(...(await node.outcomes(1)));
	}
	const added = [0, 9, 18, 27, 36, 45, 54].map((poll) => `new ${poll}`);
	expect(idsIn(all)).toEqual([...added, ...ids].sort());
});
