/** How an operation is used that needs no more than an ID, by what its form has. */
import type { Values } from '../formValues';
import type { FrozenAccount } from '../frozen';
import { byId, one, postOf, way, type Sample } from './sample';

const IDS: Readonly<Record<string, (account: FrozenAccount) => unknown>> = {
	postId: (account) => byId(postOf(account, 'published').id),
	leadMagnetId: ({ leadMagnets }) => byId(one(leadMagnets).id),
	clientId: ({ id }) => byId(id),
};
const OTHERS: Values = {
	returnAll: true,
	simplify: false,
	hasEmail: true,
	source: 'comment',
	onIncompleteList: 'fail',
	maxWaitSeconds: 30,
	dryRun: true,
};

export function derived(file: string, names: readonly string[]): Sample[] {
	// Only the key of an agency reaches its clients.
	const whose = file.startsWith('client.') ? 'client' : 'own';
	const isAccount = names.includes('actAs');
	const ids = (account: FrozenAccount): Values =>
		Object.fromEntries(
			Object.entries(IDS)
				.filter(([name]) => names.includes(name) && !(isAccount && name === 'clientId'))
				.map(([name, make]) => [name, make(account)]),
		);
	const others = Object.fromEntries(
		Object.entries(OTHERS).filter(([name]) => names.includes(name)),
	);
	// Filters that no parameter has are not documented; an expression is stored, and gives none.
	const page = { limit: 2, customFields: '={{ {} }}' };
	return [
		way('Nothing Set', ids, { whose }),
		way('Everything Set', (account) => ({ ...ids(account), ...others }), { whose }),
		...(names.includes('limit') ? [way('One Page', page, { whose })] : []),
	];
}
