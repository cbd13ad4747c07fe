/**
 * The output of a diagnosis. Every item has the same fields in the same order. n8n shows columns in
 * the order in which fields first appear, so the most important field comes first. Pure.
 */
import type { CheckFinding } from './finding';
import { wordsOf, type Result } from './words';

export interface Item {
	readonly check: string;
	readonly result: Result;
	/** What was found, and what follows from it. */
	readonly means: string;
	/** Empty if there is nothing to do. */
	readonly do_next: string;
	/** Counts, statuses and words of the document. */
	readonly seen: string;
	/** The service's own message. Empty if there is none. */
	readonly service_says: string;
	/** The clients that the finding is about. */
	readonly clients: ReadonlyArray<{ readonly client_id: string; readonly client_name: string }>;
}

export function itemOf(check: string, finding: CheckFinding): Item {
	const { result, means, next, seen } = wordsOf(finding);
	const clients = 'clients' in finding ? finding.clients : [];
	return {
		check,
		result,
		means,
		do_next: next,
		seen,
		service_says: 'says' in finding ? (finding.says ?? '') : '',
		clients: clients.map(({ id, name = '' }) => ({ client_id: id, client_name: name })),
	};
}
