/** A list that was empty when it was first read, and then shows leads without a creation time. */
import type { IDataObject } from 'n8n-workflow';

import { HOUR, numbered, playedTrigger } from './playedTrigger';

describe('old leads without a creation time that appear in several imports', () => {
	const imported = (from: number): IDataObject[] => numbered(150, from).map((id) => ({ id }));

	it('count as existing on the first day, and new ones come', async () => {
		const node = playedTrigger({ ids: [] });
		await node.outcomes(3);
		for (const from of [1, 1_001, 2_001]) {
			node.service.records.push(...imported(from));
			expect(await node.outcomes(20)).not.toContainEqual(expect.any(Array));
			node.add(`new ${from}`);
			expect(await node.outcomes(2)).toEqual([[`new ${from}`], null]);
		}
	});

	it('are new after that day', async () => {
		const node = playedTrigger({ ids: [] });
		await node.outcomes(3);
		node.service.records.push(...imported(1));
		await node.outcomes(26, HOUR);
		node.service.records.push(...imported(1_001));
		expect((await node.outcomes(5)).flat().filter((one) => one !== null)).toHaveLength(150);
	});
});
