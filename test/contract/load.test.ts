/** What n8n does with the package in every process that it starts: it loads all of it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from '../../scripts/n8n/folders';

afterEach(() => jest.restoreAllMocks());

it('loads without locale data, because its first use takes longer than the rest', () => {
	const compare = jest.spyOn(String.prototype, 'localeCompare');
	const clock = jest.spyOn(Intl, 'DateTimeFormat');
	const collator = jest.spyOn(Intl, 'Collator');
	jest.isolateModules(() => {
		for (const file of ['LeadGenPublishing', 'LeadGenPublishingTrigger']) {
			const types = jest.requireActual<Record<string, new () => { description: unknown }>>(
				`../../nodes/LeadGenPublishing/${file}.node`,
			);
			expect(types[file] && new types[file]().description).toBeDefined();
		}
	});
	for (const used of [compare, clock, collator]) expect(used).not.toHaveBeenCalled();
});

it('is as strict as its sources: modules are, a script is only if it says so', () => {
	expect(readFileSync(join(ROOT, 'dist', 'bundle.js'), 'utf8')).toMatch(/^"use strict";/);
});
