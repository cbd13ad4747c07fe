/** Tasks side by side: their results keep their order, and nothing begins after a failure. */
import { inOrder } from '../../nodes/LeadGenPublishing/run/executeItems';

/** Tasks that end when they are told. */
function tasks(size: number, width: number) {
	const begun: number[] = [];
	const ends = new Map<number, (error?: Error) => void>();
	let isOver = false;
	const outcome = inOrder({ size, width }, async (index) => {
		begun.push(index);
		return await new Promise<string>((resolve, reject) => {
			ends.set(index, (error) => {
				if (error === undefined) resolve(`of ${index}`);
				else reject(error);
			});
		});
	}).then(
		(value) => ({ value }),
		(error: unknown) => ({ error }),
	);
	void outcome.then(() => (isOver = true));
	const end = async (index: number, error?: Error) => {
		ends.get(index)?.(error);
		await new Promise(setImmediate);
	};
	return { begun, end, outcome, isOver: () => isOver };
}

it('after a failure begins nothing, waits for the others, and throws what failed first in order', async () => {
	const { begun, end, outcome, isOver } = tasks(9, 3);
	const [first, second] = [new Error('of 0'), new Error('of 2')];
	await end(2, second);
	expect(begun).toEqual([0, 1, 2]);
	await end(0, first);
	expect([begun, isOver()]).toEqual([[0, 1, 2], false]);
	await end(1);
	expect(begun).toEqual([0, 1, 2]);
	expect(await outcome).toEqual({ error: first });
});
