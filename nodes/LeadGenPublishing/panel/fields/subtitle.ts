/** The subtitle of a node on the canvas, with labels instead of stored values. */
interface Part {
	readonly labels: Readonly<Record<string, string>>;
	/** The parameters whose values, joined by dots, are the keys of `labels`. */
	readonly of: readonly string[];
	/** Left out if one of these parameters has one of these values. */
	readonly unless?: Readonly<Record<string, readonly string[]>>;
}

export const subtitle = (...parts: readonly Part[]): string =>
	`=${parts.map((part, index) => shown(part, index === 0 ? '' : ': ')).join('')}`;

function shown({ labels, of, unless = {} }: Part, before: string): string {
	const parameters = of.map((name) => `$parameter["${name}"]`);
	const stored = parameters.at(-1) ?? '""';
	const label = `(${JSON.stringify(labels)})[${parameters.join(' + "." + ')}] || ${stored}`;
	const hidden = Object.entries(unless).map(
		([name, values]) => `${JSON.stringify(values)}.includes($parameter["${name}"])`,
	);
	if (hidden.length === 0) return `${before}{{ ${label} }}`;
	return `{{ ${hidden.join(' || ')} ? "" : ${JSON.stringify(before)} + (${label}) }}`;
}
