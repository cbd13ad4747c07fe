// Debian's own Chromium, driven headless, with a profile that is new each time.

import { existsSync, readFileSync } from 'node:fs';

import { chromium, selectors, type Browser } from 'playwright-core';

import { runProgram } from './children';
import { ROOT } from './folders';
import { step } from './progress';

const CHROMIUM = '/usr/bin/chromium';
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

export class NoBrowser extends Error {}

/** Installs it where that is possible without asking; says what to do where it is not. */
export async function provideChromium(): Promise<void> {
	if (existsSync(CHROMIUM)) return;
	if (!isDebian() || process.getuid?.() !== 0) {
		throw new NoBrowser(
			`There is no ${CHROMIUM}. On Debian install it as root: apt-get install chromium.`,
		);
	}
	// Waits for another installation that may be under way.
	const aptGet = (args: string[]) =>
		runProgram({
			command: 'apt-get',
			args: ['-o', 'DPkg::Lock::Timeout=300', '-qq', ...args],
			cwd: ROOT,
			env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
		});
	await step('Installing Chromium: once', async () => {
		await aptGet(['update']);
		await aptGet(['install', '-y', '--no-install-recommends', 'chromium']);
	});
	if (!existsSync(CHROMIUM)) throw new NoBrowser(`Chromium is installed, but not as ${CHROMIUM}.`);
}

export async function openBrowser(): Promise<Browser> {
	selectors.setTestIdAttribute('data-test-id');
	return await chromium.launch({ executablePath: CHROMIUM, args: ARGS });
}

function isDebian(): boolean {
	const file = '/etc/os-release';
	return existsSync(file) && /^ID(_LIKE)?=.*debian/m.test(readFileSync(file, 'utf8'));
}
