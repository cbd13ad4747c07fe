/**
 * Collects hints that n8n shows next to the output. They never quote a record. Equal hints of several
 * items are shown once, and their numbers are added up first.
 */
import type { IExecuteFunctions, NodeExecutionHint } from 'n8n-workflow';

export type Counts = Readonly<Record<string, number>>;

export interface Tally {
	readonly counts: Counts;
	/** Creates the hints from the sums over all items. */
	readonly say: (sums: Counts) => readonly string[];
}

type Details = Pick<NodeExecutionHint, 'type' | 'group'>;

export class Notices {
	private readonly said = new Set<string>();
	private readonly sums: Record<string, number> = {};
	private sentences: Tally['say'] = () => [];

	/** `addExecutionHints` is missing in some contexts and versions of n8n. */
	constructor(private readonly functions: Partial<Pick<IExecuteFunctions, 'addExecutionHints'>>) {}

	say(message: string, details: Details = {}): void {
		if (this.said.has(message)) return;
		this.said.add(message);
		this.functions.addExecutionHints?.({ message, location: 'outputPane', ...details });
	}

	count({ counts, say }: Tally): void {
		for (const [name, count] of Object.entries(counts))
			this.sums[name] = (this.sums[name] ?? 0) + count;
		this.sentences = say;
	}

	/** Call it after the last item. */
	end({ failed, size }: { failed: number; size: number }): void {
		for (const message of this.sentences(this.sums)) this.say(message);
		if (failed > 0 && size > 1)
			this.say(`${failed} of ${size} items failed. See "message" in each of them.`, {
				type: 'warning',
			});
	}
}

/** `1234` → "1,234". */
export const formatCount = (count: number): string => count.toLocaleString('en-US');
