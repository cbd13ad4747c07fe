/** What the user sees of the node. Errors only recommend parameters that are there. */
import { ApiFailure, type FailureFacts } from '../api/failure';

export interface Panel {
	/** The names of the operation's parameters, those in collections included. */
	readonly parameters: readonly string[];
	/** The names of the options that this workflow sets. */
	readonly given: readonly string[];
	readonly timeZone: string;
}

/** The failure of an item, with the panel that the user has in front of them. */
export class ItemFailure extends ApiFailure {
	constructor(
		facts: FailureFacts,
		readonly panel: Panel,
	) {
		super(facts);
	}
}

/** The panel that belongs to an error, if one does. */
export const panelFor = (error: ApiFailure): Panel | undefined =>
	error instanceof ItemFailure ? error.panel : undefined;
