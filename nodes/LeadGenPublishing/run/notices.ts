/**
 * Collects hints that n8n shows next to the output. They never quote a record. Equal hints of several
 * items are shown once, and their numbers are added up first.
 */
import type { IExecuteFunctions } from 'n8n-workflow';

import type { NoticeDetails } from '../panel/fields/notice';
import type { Tally } from '../item/itemCall';

export class Notices {
	private readonly said = new Set<string>();
	private readonly sums: Record<string, number> = {};
	private sentences: Tally['say'] = () => [];

	/** `addExecutionHints` is missing in some contexts and versions of n8n. */
	constructor(private readonly functions: Partial<Pick<IExecuteFunctions, 'addExecutionHints'>>) {}

	say(message: string, details: NoticeDetails = {}): void {
		if (this.said.has(message)) return;
		this.said.add(message);
		this.functions.addExecutionHints?.({ message, location: 'outputPane', ...details });
	}

	count({ counts, say }: Tally): void {
		for (const [name, count] of Object.entries(counts))
			this.sums[name] = (this.sums[name] ?? 0) + count;
		this.sentences = say;
	}

	/** To be called after the last item. */
	end({ failed, size }: { failed: number; size: number }): void {
		for (const message of this.sentences(this.sums)) this.say(message);
		if (failed > 0 && size > 1)
			this.say(`${failed} of ${size} items failed. See "message" in each of these items.`, {
				type: 'warning',
			});
	}
}
