// Where things lie. Everything below `.cache` and `.demo` is ignored by git and made again at will.

import { join } from 'node:path';

export const ROOT = join(__dirname, '..', '..');
/** Manifest and lockfile of n8n, under version control; below it those of older versions. */
export const HOST_MANIFEST = join(__dirname, 'host');
export const CACHE = join(ROOT, '.cache');
/** n8n itself, installed once. */
export const HOST = join(CACHE, 'n8n-host');
export const NPM_CACHE = join(CACHE, 'npm');
export const EXAMPLES = join(ROOT, 'examples');
export const DEMO = join(ROOT, '.demo');
