// The two names that the document hides, and what the service spells with them. Independent of the
// nodes: what these make of the words is theirs to find out.

export interface Words {
	service: string;
	network: string;
}

/** The document's neutral ones, unless the run of the tests sets other ones (see jest.config.cjs). */
export const WORDS: Words = (globalThis as { SERVICE_WORDS?: Words }).SERVICE_WORDS ?? {
	service: 'svc',
	network: 'network',
};

const NEUTRAL = 'network';

/** As requests are logged: in lower case. Headers have hyphens only, since proxies drop others. */
export const etagHeaderOf = ({ service }: Words): string =>
	`x-${service.toLowerCase().replaceAll('_', '-')}-post-etag`;

/** A path, field or reason of the document as this service spells it. */
export const pathOf = (path: string, { network }: Words): string =>
	path.replace(`/${NEUTRAL}/`, `/${network}/`);
export const spelled = (name: string, { network }: Words): string =>
	name.startsWith(`${NEUTRAL}_`) ? network + name.slice(NEUTRAL.length) : name;

/** For tests of a service without words of their own. */
export const ETAG_HEADER = etagHeaderOf(WORDS);
export const REFRESH_PATH = pathOf('/network/organizations/refresh', WORDS);
export const reasonOf = (reason: string): string => spelled(reason, WORDS);
