/** `npm run docs -- --check`: whether the documents are true. Ends with 0 or 1. */
import { CHECKS } from './problems';

async function check(): Promise<void> {
	let count = 0;
	for (const [what, find] of Object.entries(CHECKS)) {
		const problems = await find();
		count += problems.length;
		console.log(`${problems.length === 0 ? '✓' : '✗'} ${what}`);
		for (const problem of problems) console.log(`  ${problem}`);
	}
	process.exit(count === 0 ? 0 : 1);
}

void check();
