/** The clients that a run names: "Client" set to By Name. Their list is read once per run. */
import type { IExecuteFunctions } from 'n8n-workflow';

import { keyFrom } from '../api/identifiers';
import type { JsonRecord } from '../api/schemas';
import { clientNamed, isByName, readName, type ClientList } from '../panel/fields/clientByName';
import { isExpression } from '../parse/expressions';
import { kept } from './kept';

/** The client in "Client": its ID, or why there is none. */
export type NamedClients = (locator: unknown) => string | Error;

export function namesClients(functions: IExecuteFunctions): boolean {
	const { actAs, clientId }: JsonRecord = functions.getNode().parameters;
	return (actAs === 'client' || isExpression(actAs)) && isByName(clientId);
}

export async function namedClients(readClients: () => Promise<ClientList>): Promise<NamedClients> {
	const list = await readClients().catch((error: unknown) =>
		error instanceof Error ? error : new Error(String(error)),
	);
	const known = new Map<unknown, string | Error>();
	return (locator) => {
		if (list instanceof Error) return list;
		const name = nameIn(locator);
		return kept(known, name, () => clientNamed(name, list));
	};
}

/** As long as the list was not read: an ID for each name. It is never sent. */
export const notLookedUp: NamedClients = (locator) => {
	const name = readName(nameIn(locator));
	return name instanceof Error ? name : keyFrom('client', name);
};

const nameIn = (locator: unknown): unknown => (isByName(locator) ? locator.value : undefined);
