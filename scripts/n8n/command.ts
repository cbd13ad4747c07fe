import { endAllPrograms } from './children';

/** Runs it to its end or to a signal, leaves nothing running, and exits with what it gives. */
export function runCommand(main: () => Promise<number>): void {
	const leave = (code: number) => void endAllPrograms().finally(() => process.exit(code));
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
		process.once(signal, () => leave(1));
	}
	main().then(leave, (error: unknown) => {
		process.stderr.write(`\n${error instanceof Error ? (error.stack ?? error.message) : error}\n`);
		leave(1);
	});
}
