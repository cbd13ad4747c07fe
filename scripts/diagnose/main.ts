// `npm run diagnose -- --base-url https://…`: can I work, and which doubts are settled?

import { createInterface } from 'node:readline/promises';

import { diagnose } from './command';

async function ask(question: string): Promise<string> {
	const terminal = createInterface({ input: process.stdin, output: process.stderr });
	const answer = await terminal.question(question);
	terminal.close();
	return answer;
}

const { env, stdout, stderr, stdin } = process;
const terminal = { env, stdout, stderr, ask: stdin.isTTY ? ask : undefined };
void diagnose(process.argv.slice(2), terminal).then((code) => (process.exitCode = code));
