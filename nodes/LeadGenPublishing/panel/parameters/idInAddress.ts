/** Finds the ID of a record in a URL that a user has pasted. Pure. */
import { AGENCY_PREFIX, ENDPOINTS } from '../../api/endpoints';

/** `/posts/{id}` → `posts`. */
const collectionIn = (path: string): string => path.split('/')[1] ?? '';
/** A row for each parameter whose value can be picked from a list. */
const COLLECTIONS = {
	clientId: collectionIn(AGENCY_PREFIX),
	leadMagnetId: collectionIn(ENDPOINTS['leadMagnet.get'].path),
	postId: collectionIn(ENDPOINTS['post.get'].path),
};

export type LocatorName = keyof typeof COLLECTIONS;
export const isLocator = (name: string): name is LocatorName => Object.hasOwn(COLLECTIONS, name);

export const isAddress = (text: string): boolean => /^https?:\/\//i.test(text);

/**
 * Only matches from the start of a word, because a long word would otherwise take quadratic time.
 */
const ID = /(?:(?<![\w-])([\w-]+)[/=])?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?![\w-])/gi;

/**
 * The ID in a URL that was copied from a browser or an API call. Undefined if it is unclear which
 * ID of the URL is meant. An ID that follows the name of another collection is never used.
 */
export function idInAddress(address: string, parameter: string): string | undefined {
	if (!isLocator(parameter)) return undefined;
	const found = [...address.matchAll(ID)].map(([, before = '', id]) => ({
		before: before.toLowerCase(),
		id,
	}));
	const named = found.filter(({ before }) => before === COLLECTIONS[parameter]);
	const unnamed = found.filter(({ before }) => !Object.values(COLLECTIONS).includes(before));
	const [one, ...others] = named.length > 0 ? named : unnamed;
	return others.length === 0 ? one?.id : undefined;
}
