/**
 * Finds the ID of a record in an address, as a person copies it from a browser or a call of the API.
 * Promise: an ID that stands behind the name of other records is never taken for it. Pure.
 */
import { AGENCY_PREFIX, endpoint } from './endpoints';

const PATHS = {
	clientId: AGENCY_PREFIX,
	leadMagnetId: endpoint('leadMagnet.get').path,
	postId: endpoint('post.get').path,
} as const;

/** `/posts/{id}` → `posts`. */
const collectionIn = (path: string): string => path.split('/')[1] ?? '';
const COLLECTIONS = Object.values(PATHS).map(collectionIn);

const ADDRESS = /^https?:\/\//i;
/** Begins only where a word does: tried at each character of a long one, it would take the square. */
const ID = /(?:(?<![\w-])([\w-]+)[/=])?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?![\w-])/gi;

export const isAddress = (text: string): boolean => ADDRESS.test(text);

/** Undefined if the address does not tell which of its IDs it is. */
export function idInAddress(address: string, parameter: string): string | undefined {
	const own = Object.entries(PATHS).find(([name]) => name === parameter)?.[1];
	if (own === undefined) return undefined;
	const found = [...address.matchAll(ID)].map(([, before = '', id = '']) => ({ before, id }));
	const named = found.filter(({ before }) => before.toLowerCase() === collectionIn(own));
	const unnamed = found.filter(({ before }) => !COLLECTIONS.includes(before.toLowerCase()));
	const [one, ...others] = named.length > 0 ? named : unnamed;
	return others.length === 0 ? one?.id : undefined;
}
