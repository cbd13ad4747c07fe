/** The names of lists, and names for what concerns several lists. */

/** The own account's list. Further accounts whose keys the credential has held are own2, own3, … */
export const OWN = 'own';
export const isOwn = (account: string): boolean => /^own\d*$/.test(account);

/**
 * The account names for failures of the list of clients itself, and for what concerns all lists.
 */
export const CLIENT_LIST = 'clients';
export const ALL_LISTS = 'all';
