/** Prints what was found. */
import { say } from '../../scripts/n8n/progress';
import { percentOf, type Summary } from './summary';

export function report({ folders, all, strict, late, accepted, untried, alive }: Summary): void {
	for (const { file, line, kind, how, text } of alive)
		say(`${file}:${line}: ${kind}: ${how}\n    ${text}`);
	say();
	for (const score of [...folders, all, strict]) {
		const { name, killed, of } = score;
		const counts = `${String(killed).padStart(6)} of ${String(of).padStart(6)}`;
		say(`  ${name.padEnd(36)}${counts} killed  ${percentOf(score).padStart(6)} %`);
	}
	say(`  by time alone: ${late}`);
	say(`  accepted: ${accepted}`);
	say(`  reached only while the code is loaded, and not in the sample of those: ${untried}`);
}
