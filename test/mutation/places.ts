import { join } from 'node:path';

export const ROOT = join(__dirname, '..', '..');
/** What is measured and found; nothing in it is needed to begin anew. */
export const WORK = join(ROOT, '.cache', 'mutation');
