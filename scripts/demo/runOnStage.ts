import { endAllPrograms } from '../n8n/children';
import { say } from '../n8n/progress';
import { openStage, type Stage, type StageOptions } from './stage';

export interface Manager {
	open(options: StageOptions): Promise<Stage>;
	/** Whether somebody has asked for the end, so that nothing more needs to be said. */
	leaving(): boolean;
}

/** Runs it to its end, to a signal, or until npm is gone; leaves nothing running behind it. */
export function runOnStage(main: (manager: Manager) => Promise<number>): void {
	let stage: Stage | undefined;
	let leaving = false;
	const leave = async (code: number): Promise<never> => {
		leaving = true;
		await stage?.close();
		await endAllPrograms();
		process.exit(code);
	};
	const stop = () => {
		if (leaving) return;
		leaving = true;
		say('\nStopping …');
		// It was asked for, so ending is not a failure.
		void leave(0).catch(() => process.exit(1));
	};
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
	onceParentIsGone(stop);
	const open = async (options: StageOptions) => (stage = await openStage(options));
	main({ open, leaving: () => leaving }).then(
		async (code) => (leaving ? undefined : await leave(code)),
		async (error: unknown) => {
			if (leaving) return;
			process.stderr.write(`\n${error instanceof Error ? error.message : String(error)}\n`);
			await leave(1);
		},
	);
}

/** npm does not pass on a signal to end. Then our parent is gone. */
function onceParentIsGone(stop: () => void): void {
	const parent = process.ppid;
	setInterval(() => {
		if (process.ppid !== parent) stop();
	}, 1_000).unref();
}
