// `npm run test:n8n -- matrix`: the packed package in the oldest n8n we care about, one between, and the
// newest. Everything is done through n8n's own command line, which all of them have.

import { parseArgs } from 'node:util';

import { runCommand } from '../../scripts/n8n/command';
import { packPackage } from '../../scripts/n8n/package';
import { aligned, say, step } from '../../scripts/n8n/progress';
import { CANDIDATES } from './candidates';
import { tryOut } from './tryOut';

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
	const rows: string[][] = [];
	const problems: string[] = [];
	for (const candidate of chosen) {
		const found = await tryOut(candidate, { tarball, keep: values.keep });
		const { node, loads, read, write, poll, time, problem } = found;
		const result = problem === undefined ? 'passed' : 'FAILED';
		rows.push([candidate.version, node, loads, read, write, poll, time, result]);
		if (problem !== undefined) problems.push(`n8n ${candidate.version}: ${problem}\n`);
	}
	say();
	for (const problem of problems) say(problem);
	const head = ['n8n', 'Node', 'loads', 'read', 'write', 'poll', 'time', ''];
	for (const line of aligned([head, ...rows])) say(line);
	const passed = problems.length === 0;
	const left = all.length - chosen.length;
	say(`${passed ? 'Passed' : 'FAILED'}${left ? `; ${left} of ${all.length} left out` : ''}`);
	return passed ? 0 : 1;
});
