// The Chromium that the machine has, or else Debian's own; driven headless, with a profile that is new
// each time.

import { existsSync } from 'node:fs';

import { chromium, selectors, type Browser } from 'playwright-core';

import { aptInstall, installCommand, mayInstall } from './debian';
import { step } from './progress';

const PACKAGES = ['chromium'];
const USUAL_PLACES = ['/usr/bin/chromium', '/usr/bin/google-chrome'];
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

export const hasBrowser = (): boolean => findChromium() !== undefined;

/** Installs it where that is possible without asking; says what to do where it is not. */
export async function provideChromium(): Promise<void> {
	if (hasBrowser()) return;
	if (!mayInstall()) throw new NoBrowser(`There is no Chromium. ${installCommand(PACKAGES)}`);
	try {
		await step('Installing Chromium: once', () => aptInstall(PACKAGES));
	} catch (error) {
		throw new NoBrowser('There is no Chromium, and it could not be installed', { cause: error });
	}
	if (!hasBrowser()) throw new NoBrowser(`There is none at ${USUAL_PLACES.join(' or ')}`);
}

export async function openBrowser(): Promise<Browser> {
	selectors.setTestIdAttribute('data-test-id');
	return await chromium.launch({ executablePath: findChromium(), args: ARGS });
}

const findChromium = (): string | undefined => USUAL_PLACES.find((path) => existsSync(path));
