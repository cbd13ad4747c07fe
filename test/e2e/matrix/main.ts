// `npm run test:n8n -- matrix`: the packed package in the oldest n8n we care about, one between, and the
// newest. Everything is done through n8n's own command line, which all of them have.

import { parseArgs } from 'node:util';

import { runCommand } from '../../../scripts/n8n/command';
import { packPackage } from '../../../scripts/n8n/package';
import { aligned, say, step } from '../../../scripts/n8n/progress';
import { CANDIDATES } from './candidates';
import { tryOut, type Outcome } from './tryOut';

const HELP = `Runs the packed package in several versions of n8n: does it load, read, write and poll?

  --only 2.8         one of them
  --keep             leaves n8n's folders with their logs

A version that is not there yet is installed once by its lockfile, about 2 GB each.
`;

const { values } = parseArgs({
	options: {
		only: { type: 'string', default: '' },
		keep: { type: 'boolean', default: false },
		help: { type: 'boolean', default: false },
	},
});

runCommand(async () => {
	if (values.help) {
		say(HELP);
		return 0;
	}
	const all = CANDIDATES.map(({ version }) => version);
	const chosen = CANDIDATES.filter(({ version }) => version.startsWith(values.only));
	if (chosen.length === 0) throw new Error(`--only is one of ${all.join(', ')}`);
	const tarball = await step('Building and packing the package', packPackage);
	const outcomes: Outcome[] = [];
	for (const candidate of chosen)
		outcomes.push(await tryOut({ candidate, tarball, keep: values.keep }));
	say();
	for (const { problem, version } of outcomes) if (problem) say(`n8n ${version}: ${problem}\n`);
	const head = ['n8n', 'Node', 'loads', 'read', 'write', 'poll', 'time', ''];
	const rows = outcomes.map(({ version, node, loads, read, write, poll, time, passed }) => {
		return [version, node, loads, read, write, poll, time, passed ? 'passed' : 'FAILED'];
	});
	for (const line of aligned([head, ...rows])) say(line);
	const passed = outcomes.every((outcome) => outcome.passed);
	const left = all.length - chosen.length;
	say(`${passed ? 'Passed' : 'FAILED'}${left ? `; ${left} of ${all.length} left out` : ''}`);
	return passed ? 0 : 1;
});
