// The faults that are waiting or have hit, as a person would say them.

import type { Effect, Match } from './effect';

export function faultInWords(effect: Effect, { path, route, count = 1 }: Match): string {
	const which = route ?? path;
	const of = which === undefined ? '' : ` to ${which}`;
	const { one, many } = wordsOf(effect);
	if (count === Infinity) return `Every request${of} ${one}`;
	return count === 1 ? `The next request${of} ${one}` : `The next ${count} requests${of} ${many}`;
}

function wordsOf(effect: Effect): { one: string; many: string } {
	const are = (what: string) => ({ one: `is ${what}`, many: `are ${what}` });
	const get = (what: string) => ({ one: `gets ${what}`, many: `get ${what}` });
	switch (effect.kind) {
		case 'error': {
			const wait = effect.retryAfter === undefined ? '' : ` and a wait of ${waitOf(effect)}`;
			return are(
				`answered with ${effect.status}${effect.reason ? ` (${effect.reason})` : ''}${wait}`,
			);
		}
		case 'raw':
			return are(`answered with ${effect.status}`);
		case 'html':
			return are(`answered with a web page (${effect.status})`);
		case 'reset':
			return effect.after ? are('done, but the response is lost') : are('cut off');
		case 'hang':
			return get('no response');
		case 'late':
			return are('cut off, but still done later');
		case 'delay':
			return get(`its response ${effect.ms / 1000} s late`);
		case 'redirect':
			return are('redirected elsewhere');
		default:
			return get(`a damaged response (${effect.kind})`);
	}
}

const waitOf = ({ retryAfter }: Extract<Effect, { kind: 'error' }>): string =>
	typeof retryAfter === 'number' ? `${retryAfter} s` : String(retryAfter);
