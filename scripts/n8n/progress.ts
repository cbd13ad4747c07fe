// What a person sees while they wait. On a terminal one line that counts, elsewhere a line now and then.

const EVERY_MS = { terminal: 500, file: 15_000 };

export const say = (line = ''): void => void process.stdout.write(`${line}\n`);

export const seconds = (since: number): string => `${((Date.now() - since) / 1000).toFixed(0)} s`;

/** Runs the work, shows that it goes on, and says how long it took. */
export async function step<T>(
	what: string,
	work: (note: (text: string) => void) => Promise<T>,
): Promise<T> {
	// The benchmark puts the clock on.
	const since = performance.now();
	const took = () => `${((performance.now() - since) / 1000).toFixed(0)} s`;
	const terminal = process.stdout.isTTY === true;
	let noted = '';
	const line = () => `… ${what} (${took()})${noted && ` ${noted}`}`;
	const show = () => {
		if (terminal)
			process.stdout.write(`\r\x1b[K${line()}`.slice(0, (process.stdout.columns ?? 80) + 3));
		else say(line());
	};
	show();
	const timer = setInterval(show, terminal ? EVERY_MS.terminal : EVERY_MS.file);
	const end = (mark: string) => {
		clearInterval(timer);
		say(`${terminal ? '\r\x1b[K' : ''}${mark} ${what} (${took()})`);
	};
	try {
		const result = await work((text) => (noted = text));
		end('✓');
		return result;
	} catch (error) {
		end('✗');
		throw error;
	}
}

/** The rows of a table as lines, with columns as wide as their widest cell. */
export function aligned(
	rows: readonly (readonly string[])[],
	pad = (cell: string, width: number): string => cell.padEnd(width),
): string[] {
	const [first = []] = rows;
	const widths = first.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
	return rows.map((row) => row.map((cell, column) => pad(cell, widths[column] ?? 0)).join('  '));
}
