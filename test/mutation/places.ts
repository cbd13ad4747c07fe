import { join } from 'node:path';

import { CACHE } from '../../scripts/n8n/folders';

/** What is measured and found; nothing in it is needed to begin anew. */
export const WORK = join(CACHE, 'mutation');
/** The code with all its mutants in it. */
export const SWITCHED = join(WORK, 'switched');
