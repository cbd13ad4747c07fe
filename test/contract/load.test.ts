/** What n8n does with the package in every process that it starts: it loads all of it. */

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
