// `npm run diagnose -- --base-url https://…`: what Account > Diagnose says, without n8n.

import { diagnose } from './command';

void diagnose(process.argv.slice(2), process).then((code) => (process.exitCode = code));
