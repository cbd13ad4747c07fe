import type { IPollFunctions } from 'n8n-workflow';

import { processMemory } from '../../../nodes/LeadGenPublishing/watch/n8n/processMemory';

const of = (node: string, workflow = 'w') =>
	processMemory({
		getWorkflow: () => ({ id: workflow }),
		getNode: () => ({ id: node }),
	} as unknown as IPollFunctions);

test('what a process remembers of a trigger leaves when it was used longest ago', () => {
	const kept = of('kept');
	const unused = of('unused');
	for (let other = 0; other < 1_500; other++) {
		of(`other-${other}`);
		expect(of('kept')).toBe(kept);
	}
	expect(of('unused')).not.toBe(unused);
});

test('as many triggers are remembered as are said to be, and each is one of a workflow', () => {
	const first = of('first', 'many');
	for (let other = 0; other < 999; other++) of(`n-${other}`, 'many');
	expect(of('first', 'many')).toBe(first);
	of('one too many', 'many');
	of('two too many', 'many');
	expect(of('first', 'many')).toBe(first);
	expect(of('first', 'another workflow')).not.toBe(first);
});
