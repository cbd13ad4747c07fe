/** As many at the same time as there are workers, in their order. */
export async function inParallel<One>(
	all: readonly One[],
	workers: number,
	work: (one: One) => Promise<void>,
): Promise<void> {
	const left = [...all];
	const worker = async (): Promise<void> => {
		for (let one = left.shift(); one !== undefined; one = left.shift()) await work(one);
	};
	await Promise.all(Array.from({ length: workers }, worker));
}
