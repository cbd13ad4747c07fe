/** Replaces what stands between `<!-- name -->` and `<!-- /name -->`. A page without this place is an error. */
export function replaceMarked(page: string, name: string, made: string): string {
	const [start, end] = [`<!-- ${name} -->\n`, `<!-- /${name} -->`];
	const from = page.indexOf(start);
	const to = page.indexOf(end, from);
	if (from === -1 || to === -1)
		throw new Error(`The page has no place between "${start.trim()}" and "${end}"`);
	return `${page.slice(0, from)}${start}${made}\n${page.slice(to)}`;
}
