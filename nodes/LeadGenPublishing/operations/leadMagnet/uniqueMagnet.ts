/** Creates a lead magnet only if there is none with its keyword and resource name, if asked to. */
import { InputError } from '../../api/failure';
import { isNotFound, outcomeOf } from '../../api/outcome';
import type { JsonRecord } from '../../api/schemas';
import { readIfExists } from '../../fields/uniqueKey';
import type { Values } from '../../parameters/values';
import { createOnce } from '../createOnce/createOnce';
import type { Found } from '../createOnce/found';
import { ListOfRun } from '../createOnce/listOfRun';
import type { ItemCall } from '../define';
import type { MagnetBody } from './body';
import { identityOf, KnownMagnets } from './knownMagnets';

export const readIfMagnetExists = (options: Values) =>
	readIfExists(options, { choices: ['create', 'return', 'fail'], fallback: 'create' });

/** Undefined if an earlier attempt may have created a lead magnet that cannot be recognised. */
export async function createUniqueMagnet(
	call: ItemCall,
	{ body, fail }: MagnetBody,
): Promise<JsonRecord | undefined> {
	const { api, input, shared } = call;
	const ifExists = readIfMagnetExists(input.collection('options'));
	const send = async () => (await api.call('leadMagnet.create', { body })).data;
	if (ifExists === 'create') return await send();
	const identity = identityOf(body);
	if (identity === undefined) {
		throw fail(
			typeof body.keyword === 'string' ? 'resource_name' : 'keyword',
			'is empty, but "If Exists" compares it with existing lead magnets',
			'Give "Keyword" and "Resource Name", or set "If Exists" to Create.',
		);
	}
	const readMagnet = async (id: string) => await read(call, id);
	return await createOnce(call, {
		what: 'lead magnet',
		identity: ['leadMagnet', identity],
		ifExists,
		list: shared(`lead magnets of ${api.accountId}`, () => {
			const details = new Map<string, JsonRecord>();
			return new ListOfRun('leadMagnet.getAll', () => new KnownMagnets(details));
		}),
		find: async (magnets) => await magnets.find(body, readMagnet),
		read: readMagnet,
		check: () => undefined,
		send,
		alreadyExists,
	});
}

async function read({ api }: ItemCall, id: string): Promise<JsonRecord | undefined> {
	// There may be any number of lead magnets to read.
	const { value, failure } = await api.uncounted(
		async () => await outcomeOf(api.call('leadMagnet.get', { params: { id } })),
	);
	if (failure === undefined) return value.data;
	// Archived, or archived since the list was read.
	if (isNotFound(failure)) return undefined;
	throw failure;
}

function alreadyExists({ record: { id } }: Found): InputError {
	const shown = typeof id === 'string' ? ` (${id})` : '';
	return new InputError(
		`A lead magnet with this keyword and resource name already exists${shown}. Nothing was created`,
		'To get the existing one instead, set "If Exists" to Return; to create another one, set it to Create.',
		{ code: 'already_exists', parameter: 'keyword', lead_magnet_id: id ?? null },
	);
}
