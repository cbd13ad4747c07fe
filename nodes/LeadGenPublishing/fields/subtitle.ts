/** The subtitle of a node on the canvas, with labels instead of stored values. */
export function subtitle(
	labels: Readonly<Record<string, string>>,
	names: readonly string[],
): string {
	const parameters = names.map((name) => `$parameter["${name}"]`);
	const stored = parameters.at(-1) ?? '""';
	return `={{ (${JSON.stringify(labels)})[${parameters.join(' + "." + ')}] || ${stored} }}`;
}
