/**
 * Sentences for the user beside the output. None of them quotes a record. Many items say one thing
 * once: the same sentence is not repeated, and numbers are summed up before they are told.
 */
import type { IExecuteFunctions, NodeExecutionHint } from 'n8n-workflow';

export type Counts = Readonly<Record<string, number>>;

export interface Tally {
	readonly counts: Counts;
	/** The sentences about the sums over all items. */
	readonly say: (sums: Counts) => readonly string[];
}

type Details = Pick<NodeExecutionHint, 'type' | 'group'>;

export class Notices {
	private readonly said = new Set<string>();
	private readonly sums: Record<string, number> = {};
	private sentences: Tally['say'] = () => [];

	/** Not every n8n offers `addExecutionHints` everywhere. */
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

	/** To be called when every item has had its turn. */
	end({ failed, size }: { failed: number; size: number }): void {
		for (const message of this.sentences(this.sums)) this.say(message);
		if (failed > 0 && size > 1)
			this.say(`${failed} of ${size} items failed. Each says why in "message".`, {
				type: 'warning',
			});
	}
}

/** `1234` → "1,234". */
export const inWords = (count: number): string => count.toLocaleString('en-US');
