/**
 * `npm run simulate`: the trigger's histories; `npm run simulate -- --writes`: those of writes. Both
 * take the number of histories and the first seed.
 */
import { playShares, simulateWrites } from './run/writes/simulate';

const [what, ...numbers] = process.argv[2] === '--writes' ? process.argv.slice(2) : [''];

function wholeNumber(text: string | undefined, fallback: number): number {
	if (text === undefined) return fallback;
	if (!/^[1-9]\d*$/.test(text))
		throw new Error(`"${text}" is no number of histories, nor a first seed`);
	return Number(text);
}

if (process.env.PLAYS_WRITES) playShares();
else if (what === '--writes') {
	const [histories, from] = [wholeNumber(numbers[0], 50_000), wholeNumber(numbers[1], 1)];
	void simulateWrites({ histories, from });
} else void import('./watch/simulation/simulate');
