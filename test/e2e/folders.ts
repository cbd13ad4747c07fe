// Where things lie. Everything below `.cache` and `.demo` is ignored by git and made again at will.

import { join } from 'node:path';

export const ROOT = join(__dirname, '..', '..');
/** Manifest and lockfile of n8n, under version control. */
export const HOST_MANIFEST = join(__dirname, 'host');
/** n8n itself, installed once. */
export const HOST = join(ROOT, '.cache', 'n8n-host');
export const TARBALLS = join(ROOT, '.cache', 'n8n-package');
export const EXAMPLES = join(ROOT, 'examples');
export const DEMO = join(ROOT, '.demo');
