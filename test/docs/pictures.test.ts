/** No picture is older than what it shows. To retake one: CONTRIBUTING.md, "Commands". */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from './example';
import { PICTURES, readTaken, stalePictures } from './pictures';

const IMAGES = join(ROOT, 'docs', 'images');
const files = (readdirSync(IMAGES, { recursive: true }) as string[])
	.filter((file) => /\.(jpg|webp|png)$/.test(file))
	.map((file) => file.replaceAll('\\', '/'));

it('each picture of the pages is checked, and no other', () => {
	expect(Object.keys(PICTURES).sort()).toEqual(files.sort());
});

it('each one shows what the product shows now', () => {
	expect(stalePictures()).toEqual([]);
});

it('each one was recorded when it was taken', () => {
	expect(Object.keys(readTaken()).sort()).toEqual(files.sort());
});

it.each(Object.keys(PICTURES))('%s has something to compare', (picture) => {
	expect(JSON.stringify(PICTURES[picture]?.()).length).toBeGreaterThan(100);
	expect(JSON.stringify(PICTURES[picture]?.())).not.toContain('[null,null]');
});
