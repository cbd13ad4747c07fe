/** `npm run docs -- --check-pictures` finds pictures that no longer show the product. */
import { PICTURES, pictureProblems } from './pictures';

const files = Object.keys(PICTURES);

it('finds pictures that are older than what they show', () => {
	const taken = Object.fromEntries(files.map((file) => [file, 'of an earlier product']));
	expect(pictureProblems({ files, taken })).toEqual(
		files.map((file) => `${file}: the product has changed since it was taken`),
	);
});

it('finds a picture that is missing, and one that nobody describes', () => {
	const problems = pictureProblems({ files: [...files.slice(1), 'new.jpg'] });
	expect(problems).toContain(`${files[0]}: there is no such file`);
	expect(problems.join()).toContain('new.jpg: PICTURES in test/docs/pictures.ts');
});

it.each(files)('%s has something to compare', (picture) => {
	expect(JSON.stringify(PICTURES[picture]?.()).length).toBeGreaterThan(100);
	expect(JSON.stringify(PICTURES[picture]?.())).not.toContain('[null,null]');
});
