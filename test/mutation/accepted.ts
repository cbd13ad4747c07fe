/**
 * Mutants that may live, each with its reason: it changes nothing that anybody could observe, or what
 * it changes is worth less than a test. Found by the text around them, so that they outlive changes
 * of other lines.
 */
import type { Candidate } from './trial';

interface Accepted {
	readonly file: string;
	/** The line on which the mutant stands, without the white space around it. */
	readonly line: string;
	readonly kind: string;
	readonly why: string;
}

const ACCEPTED: readonly Accepted[] = [];

export function isAccepted(
	{ file, line, kind }: Candidate,
	text: string,
	accepted: readonly Accepted[] = ACCEPTED,
): boolean {
	const own = text.split('\n')[line - 1]?.trim();
	return accepted.some((one) => one.file === file && one.kind === kind && one.line === own);
}
