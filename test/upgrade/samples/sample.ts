import type { Values } from '../formValues';
import type { FrozenAccount, FrozenWorld, Given, Holdings, Whose } from '../frozen';

export interface Sample {
	/** Of the node. */
	name: string;
	whose?: Whose;
	/** By the names of their parameters, wherever these stand in the form. */
	values?: (account: FrozenAccount, world: FrozenWorld) => Values;
	/** What the account has besides. */
	also?: (account: FrozenAccount) => Holdings;
	input?: Given['input'];
	/** What a trigger finds at its second poll. */
	later?: (account: FrozenAccount) => Holdings;
}

/** The record of the world that a sample is about. */
export function one<T>(
	records: readonly T[] | undefined,
	fits: (record: T) => boolean = () => true,
): T {
	const found = records?.find(fits);
	if (found === undefined) throw new Error('the world has no such record');
	return found;
}

export const postOf = ({ posts }: FrozenAccount, status: string) =>
	one(posts, (post) => post.status === status);

/** A record's locator, filled by its ID. */
export const byId = (id: string) => ({ __rl: true, mode: 'id', value: id });

type Rest = Omit<Sample, 'name' | 'values'>;
export const way = (
	name: string,
	values: Values | Sample['values'] = {},
	rest: Rest = {},
): Sample => ({ name, values: typeof values === 'function' ? values : () => values, ...rest });
