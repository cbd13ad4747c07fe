/** What a document says: headings, links, pictures and commands. Pure. */

export interface Link {
	target: string;
	picture: boolean;
}

const FENCE = /^(```|~~~).*?^\1/gms;
const CODE = /`[^`\n]+`/g;
const LINK = /(!?)\[[^\][]*\]\(([^)]*)\)/g;

/** A picture may itself be the text of a link. */
export function linksIn(text: string): Link[] {
	const prose = text.replace(FENCE, '').replace(CODE, '');
	const found = [...prose.matchAll(LINK)].map(([, mark, target = '']) => ({
		target: target.trim(),
		picture: mark === '!',
	}));
	return prose.includes('[![') ? [...found, ...linksIn(prose.replace(LINK, ''))] : found;
}

/** As GitHub names them, with a number if a heading is repeated. */
export function anchorsIn(text: string): Set<string> {
	const seen = new Map<string, number>();
	const anchors = new Set<string>();
	for (const [, heading = ''] of text.replace(FENCE, '').matchAll(/^#{1,6} +(.+?) *#*$/gm)) {
		const slug = slugOf(heading);
		const times = seen.get(slug) ?? 0;
		seen.set(slug, times + 1);
		anchors.add(times === 0 ? slug : `${slug}-${times}`);
	}
	return anchors;
}

const slugOf = (heading: string): string =>
	heading
		.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
		.toLowerCase()
		.replace(/[^\p{L}\p{N}\s_-]/gu, '')
		.replace(/\s/g, '-');

/** Commands in fenced blocks and in code within the text, each up to its arguments. */
export function commandsIn(text: string): string[] {
	const code = [...(text.match(FENCE) ?? []), ...(text.replace(FENCE, '').match(CODE) ?? [])];
	const found = code.flatMap((piece) => [
		...piece.matchAll(
			/\b(npm run [\w:-]+|npm [a-z]+(?=[\s`]|$)|(?:npx )?(?:tsx|node) [\w./-]+\.[cm]?[jt]s)/gm,
		),
	]);
	return [...new Set(found.map(([, command = '']) => command))];
}

/** Passages: a paragraph, a list entry, or a table cell. */
export function paragraphsIn(text: string): string[] {
	const blocks = text
		.replace(FENCE, '')
		.replace(/<!--.*?-->/gs, '')
		.split(/\n{2,}|\n(?=\s*(?:[-*]|\d+[.]) )/);
	return blocks
		.flatMap((block) => (block.trimStart().startsWith('|') ? block.split('|') : [block]))
		.map((block) => block.replace(/\]\([^)]*\)/g, ']').trim())
		.filter((block) => block !== '');
}

/** The text below a heading of the second level, by its anchor. */
export function sectionsIn(text: string): Map<string, string> {
	const parts = text.split(/^## +/m).slice(1);
	return new Map(
		parts.map((part) => {
			const [heading = '', ...rest] = part.split('\n');
			return [slugOf(heading.trim()), rest.join('\n')];
		}),
	);
}
