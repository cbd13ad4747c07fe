/**
 * Checks URLs that came from outside, to which a file is sent or from which one is fetched. Pure.
 */
import { reachOf } from './hostReach';
import { MAX_URL_LENGTH } from './misleadingPath';

export type UrlProblem = 'incomplete' | 'notHttps' | 'holdsLogin' | 'inOwnNetwork';

export type ForeignUrl =
	| { readonly kind: 'url'; readonly url: URL }
	| { readonly kind: 'problem'; readonly problem: UrlProblem };

/**
 * The URL must be encrypted, and must not lead into n8n's own network. It may lead to this machine
 * if the service also runs here, as in the demo, and to the local network if it `mayBeNear` and the
 * service is not on the internet.
 */
export function foreignUrl(
	given: string,
	{ baseUrl, mayBeNear }: { baseUrl: string; mayBeNear: boolean },
): ForeignUrl {
	if (given.length > MAX_URL_LENGTH || !URL.canParse(given)) return problem('incomplete');
	const url = new URL(given);
	const reach = reachOf(url.hostname);
	const reachOfService = reachOf(new URL(baseUrl).hostname);
	const stays = reach === 'loopback' && reachOfService === 'loopback';
	if (url.protocol !== 'https:' && !(stays && url.protocol === 'http:')) return problem('notHttps');
	if (url.username !== '' || url.password !== '') return problem('holdsLogin');
	const isNear = mayBeNear && reach === 'private' && reachOfService !== 'public';
	return reach === 'public' || stays || isNear ? { kind: 'url', url } : problem('inOwnNetwork');
}

const problem = (what: UrlProblem): ForeignUrl => ({ kind: 'problem', problem: what });
