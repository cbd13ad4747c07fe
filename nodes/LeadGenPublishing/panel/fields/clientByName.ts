/**
 * Finds the client of an agency by its name. An ID is safer, because a name can change. So nothing is
 * guessed: exactly one client must have the name. Pure.
 */
import { InputError } from '../../words/inputError';
import { isAccessible } from '../../api/grant';
import { isUuid } from '../../api/identifiers';
import { isRecord, type JsonRecord } from '../../api/schemas';
import { folded } from '../../records/sameWord';
import { isBlank } from '../../parse/jsonValues';

/** The list of clients as it was read. */
export interface ClientList {
	readonly records: readonly JsonRecord[];
	readonly isComplete: boolean;
}

/** Whether a stored or evaluated "Client" is a name. */
export const isByName = (locator: unknown): locator is { readonly value: unknown } =>
	isRecord(locator) && locator.mode === 'name';

/** The name, so that it can be compared, or the error that there is none. */
export const readName = (name: unknown): string | InputError =>
	isBlank(name) || typeof name === 'object'
		? refuse('is empty', 'Enter the name of a client, or map it from the input item.')
		: folded(String(name).trim());

/** The ID of the only client with this name, or the error that there is none. */
export function clientNamed(
	name: unknown,
	{ records, isComplete }: ClientList,
): string | InputError {
	const wanted = readName(name);
	if (wanted instanceof Error) return wanted;
	if (!isComplete)
		return refuse(
			'cannot be looked up by name: the list of clients is incomplete',
			'Run the node again later, or set "Client" to By ID.',
		);
	const found = records
		.filter(
			(client) => isAccessible(client) && namesOf(client).some((one) => folded(one) === wanted),
		)
		.flatMap(({ user_id: id }) => (typeof id === 'string' && isUuid(id) ? id.toLowerCase() : []));
	const [id, ...others] = new Set(found);
	if (id === undefined)
		return refuse(
			'is not the name of a client with an active grant',
			'Compare it with full_name and business_name in Client > Get Many. Upper and lower case do not matter.',
		);
	if (others.length > 0)
		return refuse(
			`is the name of ${others.length + 1} clients: ${[id, ...others].join(', ')}`,
			'Set "Client" to By ID, and use the ID of the right one.',
		);
	return id;
}

/** An empty name is no name. */
const namesOf = ({ full_name: full, business_name: business }: JsonRecord): string[] =>
	[full, business].flatMap((name) =>
		typeof name === 'string' && !isBlank(name) ? name.trim() : [],
	);

const refuse = (problem: string, remedy: string): InputError =>
	new InputError(
		`The parameter "Client" ${problem}`,
		remedy,
		{ parameter: 'clientId' },
		'Nothing was sent',
	);
