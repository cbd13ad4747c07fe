/** The clients that a run names: "Client" set to By Name. Their list is read once per run. */
import type { IExecuteFunctions } from 'n8n-workflow';

import type { JsonRecord } from '../api/schemas';
import { clientNamed, isByName, type ClientList } from '../panel/fields/clientByName';
import { isExpression } from '../parse/expressions';

/** The client in "Client": its ID, or why there is none. Undefined if the run names none. */
export type NamedClients = (locator: unknown) => string | Error;

export async function namedClients(
	functions: IExecuteFunctions,
	readClients: () => Promise<ClientList>,
): Promise<NamedClients | undefined> {
	const { actAs, clientId }: JsonRecord = functions.getNode().parameters;
	const mayBeClient = actAs === 'client' || isExpression(actAs);
	if (!mayBeClient || !isByName(clientId)) return undefined;
	const list = await readClients().catch((error: unknown) =>
		error instanceof Error ? error : new Error(String(error)),
	);
	return (locator) => {
		if (list instanceof Error) return list;
		return clientNamed(isByName(locator) ? locator.value : undefined, list);
	};
}
