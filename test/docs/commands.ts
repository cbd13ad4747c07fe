/** The commands that documents name. */
import manifest from '../../package.json';

/** Cheap enough for every `npm test`: `commands.test.ts` runs them with these arguments. */
export const QUICK: Readonly<Record<string, readonly string[]>> = {
	'npm run service': ['--help'],
	'npm run dev': ['--help'],
	'npm start': ['--help'],
};

/** What npm does without a script of ours. */
const NPM_ITSELF = [
	'ci',
	'deprecate',
	'exec',
	'install',
	'login',
	'pack',
	'publish',
	'trust',
	'uninstall',
];

const scripts: Readonly<Record<string, string>> = manifest.scripts;

/** `undefined` for a script that does not exist. */
export function scriptOf(command: string): string | undefined {
	const [, run, short] = /^npm (?:run ([\w:-]+)|([a-z]+))$/.exec(command) ?? [];
	if (run !== undefined) return scripts[run];
	if (short === undefined) return command;
	return NPM_ITSELF.includes(short) ? 'npm itself' : scripts[short];
}
