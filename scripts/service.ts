// `npm run service`: the fake service; `npm run service -- diagnose`: what a real one is like.

import { diagnose } from './diagnose/main';

async function main([command, ...args]: readonly string[]): Promise<void> {
	if (command === 'diagnose') process.exitCode = await diagnose(args);
	else await import('../fake-service/main');
}

void main(process.argv.slice(2));
