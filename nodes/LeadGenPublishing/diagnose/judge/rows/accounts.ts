/** Is my data complete? Whether each account shows its own records, and only those. */
import { LISTS_OF_ACCOUNT, type ListName } from '../../facts';
import { idIn, recordsOf } from '../../records';
import type { Evidence } from '../evidence';
import { needsYou, ok, row, unusual, type CheckFinding, type Row } from '../row';
import { count, listName } from '../words';

type AccountsKind = 'separate' | 'mixed' | 'together' | 'othersOwn';

const OWN = '';

/** For each ID, the accounts whose list shows it. */
function holdersIn(evidence: Evidence, list: ListName): Map<string, Set<string>> {
	const holders = new Map<string, Set<string>>();
	for (const asked of evidence.of(list))
		for (const record of recordsOf(asked)) {
			const id = idIn(record);
			if (id === undefined) continue;
			const known = holders.get(id) ?? new Set();
			holders.set(id, known.add(asked.clientId ?? OWN));
		}
	return holders;
}

const NAMES_OF_OWNER = ['user_id', 'client_id', 'account_id', 'owner_id'];

/** Clients whose records name another client as their owner. */
function withOthersRecords(evidence: Evidence, list: ListName): string[] {
	const clientIds = new Set(evidence.clientIds);
	return evidence.of(list).flatMap((asked) => {
		const { clientId } = asked;
		const isOther = (id: unknown): boolean =>
			typeof id === 'string' && id.toLowerCase() !== clientId && clientIds.has(id.toLowerCase());
		const isWrong = recordsOf(asked).some((record) =>
			NAMES_OF_OWNER.some((name) => isOther(record[name])),
		);
		return clientId !== undefined && isWrong ? [clientId] : [];
	});
}

/** If the own list also shows the clients' records, no record is shared by two clients. */
function judgeList(evidence: Evidence, list: ListName): Array<CheckFinding<AccountsKind>> {
	const about = listName(list);
	const shared = [...holdersIn(evidence, list).values()].filter((holders) => holders.size > 1);
	const clientIds = [...new Set(shared.flatMap((holders) => [...holders]))].filter(
		(holder) => holder !== OWN,
	);
	const isTogether =
		clientIds.length > 1 && shared.every((holders) => holders.has(OWN) && holders.size === 2);
	const clients = count(clientIds.length, 'client');
	if (isTogether) {
		const seen = `${about}: the own list has records of ${clients}`;
		return [{ kind: 'together', about, seen, clientIds }];
	}
	if (shared.length > 0) {
		const seen = `${about}: ${clients} with records of another account`;
		return [{ kind: 'mixed', about, seen, clientIds }];
	}
	const others = withOthersRecords(evidence, list);
	if (others.length === 0) return [];
	const seen = `${about}: ${count(others.length, 'client')} with records that name another owner`;
	return [{ kind: 'othersOwn', about, seen, clientIds: others }];
}

function accounts(evidence: Evidence): Array<CheckFinding<AccountsKind>> {
	const wrong = LISTS_OF_ACCOUNT.flatMap((list) => judgeList(evidence, list));
	if (wrong.length > 0) return wrong;
	const isSeen =
		evidence.clientIds.length > 0 &&
		LISTS_OF_ACCOUNT.some((list) => evidence.listed(list).length > 0);
	return isSeen ? [{ kind: 'separate', seen: 'no record belongs to two accounts' }] : [];
}

export const ACCOUNTS: readonly Row[] = [
	row('Separate accounts', {
		block: 'data',
		find: accounts,
		words: {
			separate: ok('Each account shows only its own records.'),
			mixed: needsYou(
				'The lists of some clients show records of another account: {about}.',
				'Stop workflows that work for clients, and contact the service immediately.',
			),
			othersOwn: needsYou(
				'The lists of some clients show records that name another client as their owner: {about}.',
				'Stop workflows that work for clients, and contact the service immediately.',
			),
			together: unusual(
				'The lists of your own account also show the records of your clients: {about}. Workflows that read both get these records twice.',
				'Let a workflow read either your own account or your clients.',
			),
		},
		unseen: 'There was only one account to check.',
	}),
];
