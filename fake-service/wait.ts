/** Unreferenced: a closed service does not keep its process for a request that it never answers. */
export const wait = async (ms: number): Promise<void> =>
	await new Promise((resolve) => void setTimeout(resolve, ms).unref());
