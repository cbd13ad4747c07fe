/** The subtitle of a node on the canvas, with labels instead of stored values. */
interface Part {
	readonly labels: Readonly<Record<string, string>>;
	/** The parameters whose values, joined by dots, are the keys of `labels`. */
	readonly of: readonly string[];
}

export const subtitle = (...parts: readonly Part[]): string => `=${parts.map(shown).join(': ')}`;

function shown({ labels, of }: Part): string {
	const parameters = of.map((name) => `$parameter["${name}"]`);
	const stored = parameters.at(-1) ?? '""';
	return `{{ (${JSON.stringify(labels)})[${parameters.join(' + "." + ')}] || ${stored} }}`;
}
