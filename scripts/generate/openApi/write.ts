/** Writes `docs/openapi.json`; a part of `npm run docs`. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from '../../n8n/folders';
import { openApi } from './document';

const PATH = join(ROOT, 'docs', 'openapi.json');

export const writeOpenApi = (): void =>
	writeFileSync(PATH, `${JSON.stringify(openApi(), null, 2)}\n`);
