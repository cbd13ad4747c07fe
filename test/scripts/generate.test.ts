/** `npm run docs` fails where a page has lost a place that is made from the code. */
import { readDoubtsPage, withDoubts } from '../../scripts/generate/doubtsPage';
import { readReference, withEndpointWords } from '../../scripts/generate/endpointWords';
import { readPage, withPicture } from '../../scripts/generate/housePicture';
import { readReadme, withTables } from '../../scripts/generate/readmeTables';
import { replaceMarked } from '../../scripts/generate/replaceMarked';
import { readItemsPage, withSamples } from '../../scripts/generate/sampleItems';

it('replaces only what stands between the marks', () => {
	const page = 'before\n<!-- a -->\nold\n<!-- /a -->\nafter';
	expect(replaceMarked(page, 'a', 'new $1')).toBe('before\n<!-- a -->\nnew $1\n<!-- /a -->\nafter');
});

it.each([
	['README.md', () => withTables(readReadme().replace('<!-- operations -->', ''))],
	['README.md, the end', () => withTables(readReadme().replace('<!-- /assumptions -->', ''))],
	['docs/items.md', () => withSamples(readItemsPage().replace('<!-- newLead -->', ''))],
	['docs/architecture.md', () => withPicture(readPage().replace('<!-- picture -->', ''))],
	['docs/doubts.md', () => withDoubts(readDoubtsPage().replace('<!-- doubts -->', ''))],
	['docs/api-v1.md', () => withEndpointWords(readReference().replace('`/posts`', 'posts'))],
])('fails if %s has lost a place', (_, write) => {
	expect(write).toThrow(/has no place between|has no row for/);
});
