/** Whether each account shows its own records, and only those. Pure. */
import { clientsIn, idIn, ownIdIn, recordsOf } from '../../answers';
import { LISTS_OF_ACCOUNT, type Asked, type Facts, type ListName } from '../../facts';
import type { CheckFinding } from '../finding';

const OWN = '';

/** Whose list it is. The agency itself may be among its clients. */
const accountIn = ({ clientId = OWN }: Asked, ownId: string | undefined): string =>
	clientId === ownId ? OWN : clientId;

/** For each record, the accounts whose list shows it. */
function holdersIn(facts: Facts, list: ListName): Array<ReadonlySet<string>> {
	const holders = new Map<string, Set<string>>();
	const ownId = ownIdIn(facts);
	for (const asked of facts.lists.filter(({ name }) => name === list))
		for (const record of recordsOf(asked)) {
			const id = idIn(record);
			if (id === undefined) continue;
			holders.set(id, (holders.get(id) ?? new Set()).add(accountIn(asked, ownId)));
		}
	return [...holders.values()];
}

export function accounts(facts: Facts): CheckFinding[] {
	const known = clientsIn(facts.clients);
	const found: CheckFinding[] = [];
	for (const kind of ['mixed', 'sharedWithOwn'] as const) {
		const isOfKind = (holders: ReadonlySet<string>): boolean =>
			holders.size > 1 && (holders.has(OWN) && holders.size === 2) === (kind === 'sharedWithOwn');
		const lists = LISTS_OF_ACCOUNT.map((list) => ({
			list,
			shared: holdersIn(facts, list).filter(isOfKind),
		})).filter(({ shared }) => shared.length > 0);
		const ids = new Set(lists.flatMap(({ shared }) => shared.flatMap((holders) => [...holders])));
		if (lists.length > 0)
			found.push({
				kind,
				lists: lists.map(({ list }) => list),
				clients: known.filter(({ id }) => ids.has(id)),
			});
	}
	if (found.length > 0) return found;
	const read = facts.lists.filter((asked) => recordsOf(asked).length > 0);
	const { size } = new Set(read.map((asked) => accountIn(asked, ownIdIn(facts))));
	return [size > 1 ? { kind: 'separate', accounts: size } : { kind: 'oneAccount' }];
}
