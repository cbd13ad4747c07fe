/** Damages a stored state at any level, as storage, versions and people might. */
import type { Chance } from '../random';

type Json = Record<string, unknown>;

const strange = (): readonly unknown[] => [
	...[null, true, false, 0, -1, 0.5, 1e300, -1e300, 2 ** 53, '', 'x', '__proto__', '\u0000'],
	...[[], {}, [null], { a: 1 }, 'constructor', 1e15],
];

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;

/** Every value in it, as its containing object and its name there. */
function places(value: unknown, found: Array<[Json, string]> = []): Array<[Json, string]> {
	if (!isObject(value)) return found;
	for (const name of Object.keys(value)) {
		found.push([value, name]);
		places(value[name], found);
	}
	return found;
}

function flip(text: string, chance: Chance): string {
	const at = chance.below(Math.max(1, text.length));
	const sign = String.fromCharCode(text.charCodeAt(at) ^ (1 << chance.below(7)));
	return text.slice(0, at) + sign + text.slice(at + 1);
}

function change(value: unknown, chance: Chance): unknown {
	if (typeof value === 'string' && chance.happens(0.6)) {
		return chance.happens(0.5)
			? flip(value, chance)
			: value.slice(0, chance.below(value.length + 1));
	}
	if (typeof value === 'number' && chance.happens(0.6)) {
		return chance.pick([value + 1, -value, value * 1e9, value / 3, String(value), null]);
	}
	return chance.pick(strange());
}

/** Damages the value in place, once or several times. */
export function damaged(value: unknown, chance: Chance): unknown {
	if (chance.happens(0.02)) return chance.pick(strange());
	for (let times = chance.pick([1, 1, 1, 2, 5]); times > 0; times--) {
		const all = places(value);
		const [holder, name] = all[chance.below(all.length)] ?? [];
		if (holder === undefined || name === undefined) continue;
		if (chance.happens(0.2)) delete holder[name];
		else holder[name] = change(holder[name], chance);
		if (chance.happens(0.05)) Object.defineProperty(holder, '__proto__', ownPrototype());
	}
	return JSON.parse(JSON.stringify(value));
}

/** A new one each time, since it may be damaged itself later. */
const ownPrototype = () => ({
	value: { polluted: true },
	...{ enumerable: true, configurable: true, writable: true },
});
