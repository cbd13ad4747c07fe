// Before all tests: a browser, where one can be had. Those that need it are left out elsewhere.

import { NoBrowser, provideChromium } from '../../scripts/n8n/chromium';
import { say } from '../../scripts/n8n/progress';

export async function provideBrowser(): Promise<void> {
	try {
		await provideChromium();
	} catch (error) {
		if (!(error instanceof NoBrowser)) throw error;
		say(`${error.message}: what needs a browser is left out`);
	}
}
