/** Writes `docs/openapi.json`; a part of `npm run docs`. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { openApi } from './document';

const PATH = join(__dirname, '..', '..', '..', 'docs', 'openapi.json');

writeFileSync(PATH, `${JSON.stringify(openApi(), null, '\t')}\n`);
