// Which image of n8n a run asks for, and which n8n it must contain.

const IMAGE_TAGS = 'https://hub.docker.com/v2/repositories/n8nio/n8n/tags?page_size=100&name=';
const EXACT = /^\d+\.\d+\.\d+$/;
const MAJOR = /^(\d+)\.x$/;

/** The tag "3.x" stands for the newest 3.*.* that has an image. Undefined if there is none. */
export async function tagOf(
	wished: string,
	readTags: (prefix: string) => Promise<readonly string[]> = imageTags,
): Promise<string | undefined> {
	const [, major] = MAJOR.exec(wished) ?? [];
	return major === undefined ? wished : newestOf(await readTags(`${major}.`), major);
}

function newestOf(tags: readonly string[], major: string): string | undefined {
	const versions = tags.filter((tag) => EXACT.test(tag) && tag.startsWith(`${major}.`));
	return versions.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true })).at(-1);
}

async function imageTags(prefix: string): Promise<string[]> {
	const response = await fetch(`${IMAGE_TAGS}${prefix}`);
	if (!response.ok) throw new Error(`The tags of n8n's image: status ${response.status}`);
	const { results } = (await response.json()) as { results: ReadonlyArray<{ name: string }> };
	return results.map(({ name }) => name);
}

/** A tag that is a version names its n8n. For any other tag, the image itself says what it contains. */
export const expectedVersion = async (
	tag: string,
	askImage: () => Promise<string>,
): Promise<string> => (EXACT.test(tag) ? tag : (await askImage()).trim());
