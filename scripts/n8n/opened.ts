/** Closes what has been opened, the last one first: when asked to, or if opening the rest fails. */
export async function opening<T>(
	open: (given: {
		closeLater: (close: () => unknown) => void;
		close: () => Promise<void>;
	}) => Promise<T>,
): Promise<T> {
	const opened: Array<() => unknown> = [];
	const closeLater = (one: () => unknown): void => void opened.push(one);
	const close = async (): Promise<void> => {
		for (const one of opened.splice(0).reverse()) await one();
	};
	try {
		return await open({ closeLater, close });
	} catch (error) {
		await close();
		throw error;
	}
}
