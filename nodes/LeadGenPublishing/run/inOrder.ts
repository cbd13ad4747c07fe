/**
 * Runs `size` tasks, at most `width` at a time; the results keep their order. After a failure, no
 * further task begins, and running tasks are awaited: nothing is sent once the node has ended.
 */
export interface Order {
	readonly size: number;
	/** How many tasks may run at the same time. */
	readonly width: number;
}

export async function inOrder<T>(
	{ size, width }: Order,
	task: (index: number) => Promise<T>,
): Promise<T[]> {
	const results: T[] = [];
	const failures: Array<{ index: number; error: unknown }> = [];
	let next = 0;
	const worker = async () => {
		while (next < size && failures.length === 0) {
			const index = next;
			next += 1;
			try {
				results[index] = await task(index);
			} catch (error) {
				failures.push({ index, error });
			}
		}
	};
	await Promise.all(Array.from({ length: Math.min(width, size) }, worker));
	const [first] = failures.sort((a, b) => a.index - b.index);
	if (first !== undefined) throw first.error;
	return results;
}
