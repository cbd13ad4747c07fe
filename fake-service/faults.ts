// Trouble on demand: which request is hit, and by what.

import type { Effect, Match, RetryAfter } from './effect';
import { codeOf, REASONS, type Reason } from './errors';
import { faultInWords } from './faultWords';
import type { LoggedRequest } from './log';
import type { JsonObject } from './types';

interface Rule {
	match: Match;
	effect: Effect;
	seen: number;
	hits: number;
}

export type Hittable = Pick<LoggedRequest, 'method' | 'path' | 'route' | 'clientId'>;

export class Faults {
	private rules: Rule[] = [];

	add(effect: Effect, match: Match = {}): { remove: () => void } {
		const rule: Rule = { match, effect, seen: 0, hits: 0 };
		this.rules.push(rule);
		return { remove: () => void (this.rules = this.rules.filter((other) => other !== rule)) };
	}

	/** 429 with `Retry-After`, in seconds or as a text, or without. */
	rateLimit(retryAfter?: RetryAfter, match?: Match): void {
		this.add({ kind: 'error', status: 429, retryAfter }, match);
	}

	/** A reason of 7.2 to 7.4, with the status and code that belong to it. */
	reason(reason: Reason, match?: Match, details: JsonObject = {}): void {
		this.add({ kind: 'error', ...REASONS[reason], reason, details }, match);
	}

	status(status: number, match?: Match): void {
		this.add({ kind: 'error', status }, match);
	}

	clear(): void {
		this.rules = [];
	}

	list(): { words: string; over: boolean; hits: number }[] {
		return this.rules.map(({ effect, match, hits }) => ({
			...{ words: faultInWords(effect, match), over: hits >= (match.count ?? 1), hits },
		}));
	}

	take(host: 'api' | 'storage', request: Hittable, logged?: LoggedRequest): Effect | null {
		for (const rule of this.rules) {
			if (!matches(rule.match, host, request, logged)) continue;
			rule.seen++;
			const { nth = 1, count = 1 } = rule.match;
			if (rule.seen < nth || rule.hits >= count) continue;
			rule.hits++;
			return rule.effect;
		}
		return null;
	}
}

function matches(
	match: Match,
	host: 'api' | 'storage',
	request: Hittable,
	logged: LoggedRequest | undefined,
): boolean {
	if ((match.host ?? 'api') !== host) return false;
	if (match.method && match.method !== request.method) return false;
	if (match.route && match.route !== request.route) return false;
	if (match.clientId && match.clientId !== request.clientId) return false;
	if (match.when && !(logged && match.when(logged))) return false;
	const { path = request.path } = match;
	return typeof path === 'string' ? path === request.path : path.test(request.path);
}

/** The error body and headers of an `error` effect. */
export function errorOf(effect: Extract<Effect, { kind: 'error' }>) {
	const { status, retryAfter, reason } = effect;
	const details = { ...(reason === undefined ? {} : { reason }), ...effect.details };
	const headers: Record<string, string> = {};
	if (retryAfter !== undefined) {
		headers['Retry-After'] = String(retryAfter);
	}
	const { code = codeOf(status), message = `Injected fault ${status}` } = effect;
	return {
		...{ status, headers, code, message },
		details: Object.keys(details).length ? details : undefined,
	};
}
