/** `npm run docs -- --check-pictures`: which pictures are to be taken again. Ends with 0 or 1. */
import { pictureProblems } from './pictures';

const problems = pictureProblems();
for (const problem of problems) console.log(`✗ ${problem}`);
console.log(
	problems.length === 0
		? '✓ every picture shows what the product shows'
		: 'To take a picture again: CONTRIBUTING.md, "Commands"',
);
process.exit(problems.length === 0 ? 0 : 1);
