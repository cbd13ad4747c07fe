/** The storyboard in `docs/demo-video.md`. `npm run docs` writes it. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from '../../n8n/folders';
import { storyboardTable } from './storyboard';

const PAGE = join(ROOT, 'docs', 'demo-video.md');

export const readVideoPage = (): string => readFileSync(PAGE, 'utf8');

export const withStoryboard = (page: string): string =>
	page.replace(
		/(<!-- storyboard -->\n)[\s\S]*?(<!-- \/storyboard -->)/,
		(_, start: string, end: string) => `${start}\n${storyboardTable()}\n\n${end}`,
	);

if (require.main === module) writeFileSync(PAGE, withStoryboard(readVideoPage()));
