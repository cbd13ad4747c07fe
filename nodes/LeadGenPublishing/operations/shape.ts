/** In which shape an operation gives its records, and what is added to those of a client. */
import type { JsonRecord } from '../api/schemas';
import { readShape } from '../fields/output';
import { addFields, clientFields, withoutErrorKey } from '../output/addFields';
import { select, simplify } from '../output/simplification';
import type { Values } from '../parameters/values';
import type { Operation } from './define';

interface Seen {
	/** The client that the record was read or created for; undefined for the own account. */
	readonly clientId: string | undefined;
	/** Undefined while it is not known. It may be learned from the records themselves. */
	readonly networkWord: string | undefined;
}

/** Reads the parameters before anything is sent, since they may be refused. */
export function shaping(
	{ simplification, keepsItem }: Operation,
	input: Values,
): (record: JsonRecord, seen: Seen) => JsonRecord {
	const shape = simplification === undefined ? { kind: 'raw' as const } : readShape(input);
	const shaped = (record: JsonRecord, networkWord: string | undefined): JsonRecord => {
		if (simplification === undefined || shape.kind === 'raw') return record;
		return shape.kind === 'simplified'
			? simplify(simplification, record, networkWord)
			: select(simplification, record, { names: shape.names, networkWord });
	};
	return (record, { clientId, networkWord }) => {
		const client =
			clientId === undefined
				? {}
				: clientFields(
						{ user_id: clientId },
						{ simplified: shape.kind !== 'raw' || keepsItem === true },
					);
		return addFields(withoutErrorKey(shaped(record, networkWord)), client);
	};
}
