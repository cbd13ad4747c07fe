// The Chromium that the machine has, or else Debian's own; driven headless, with a profile that is new
// each time.

import { existsSync, readFileSync } from 'node:fs';

import { chromium, selectors, type Browser } from 'playwright-core';

import { runProgram } from './children';
import { ROOT } from './folders';
import { step } from './progress';

const DEBIANS = '/usr/bin/chromium';
const USUAL_PLACES = [DEBIANS, '/usr/bin/google-chrome', '/usr/bin/chromium-browser'];
const ARGS = [
	'--headless',
	'--no-sandbox',
	'--disable-gpu',
	'--disable-quic',
	'--no-first-run',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
];

/** There is none, and none could be installed: nothing can be said about the package. */
export class NoBrowser extends Error {}

/** Installs it where that is possible without asking; says what to do where it is not. */
export async function provideChromium(): Promise<void> {
	if (findChromium() !== undefined) return;
	if (!isDebian() || process.getuid?.() !== 0) {
		throw new NoBrowser('There is no Chromium. On Debian: sudo apt-get install chromium');
	}
	// Waits for another installation that may be under way.
	const aptGet = (args: string[]) =>
		runProgram({
			command: 'apt-get',
			args: ['-o', 'DPkg::Lock::Timeout=300', '-qq', ...args],
			cwd: ROOT,
			env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
		});
	try {
		await step('Installing Chromium: once', async () => {
			await aptGet(['update']);
			await aptGet(['install', '-y', '--no-install-recommends', 'chromium']);
		});
	} catch (error) {
		throw new NoBrowser('There is no Chromium, and it could not be installed', { cause: error });
	}
	if (findChromium() === undefined) throw new NoBrowser(`Installed, but not as ${DEBIANS}`);
}

export async function openBrowser(): Promise<Browser> {
	selectors.setTestIdAttribute('data-test-id');
	return await chromium.launch({ executablePath: findChromium(), args: ARGS });
}

const findChromium = (): string | undefined => USUAL_PLACES.find((path) => existsSync(path));

/** Ubuntu's package of that name is none. */
function isDebian(): boolean {
	const file = '/etc/os-release';
	return existsSync(file) && /^ID=.*debian/m.test(readFileSync(file, 'utf8'));
}
