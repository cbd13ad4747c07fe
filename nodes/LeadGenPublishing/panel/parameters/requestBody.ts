/** A body as it will be sent, which can name the parameter of each field in an error. */
import type { InputError } from '../../words/inputError';
import type { JsonRecord } from '../../api/schemas';

export interface RequestBody {
	readonly body: JsonRecord;
	/** Whether the field comes from "Custom Fields". */
	readonly isCustom: (field: string) => boolean;
	/** Creates an error that names the parameter of this field. */
	readonly fail: (field: string, problem: string, remedy?: string) => InputError;
	/** The label of that parameter, for a message other than an error. */
	readonly labelOf: (field: string) => string;
}
