/** The names of lists, and of what concerns several of them. */

/** The own account's list; further accounts whose keys the credential has held are own2, own3, … */
export const OWN = 'own';
export const isOwn = (account: string): boolean => /^own\d*$/.test(account);

/** The account name of failures of the list of clients itself, and of what concerns all lists. */
export const CLIENT_LIST = 'clients';
export const ALL_LISTS = 'all';
