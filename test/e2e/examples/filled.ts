// Whether what an example would have sent is something that a person would want to get.

import type { JsonRecord } from '../../../scripts/n8n/n8nApi';

const isEmpty = (value: unknown) => value === undefined || value === null || value === '';

/** No field may be empty in all items, nor show what only a program would write. */
export function expectFilled(items: readonly JsonRecord[]): void {
	expect(items.length).toBeGreaterThan(0);
	const names = [...new Set(items.flatMap((item) => Object.keys(item)))];
	expect(names.length).toBeGreaterThan(0);
	expect(names.filter((name) => items.every((item) => isEmpty(item[name])))).toEqual([]);
	expect(JSON.stringify(items)).not.toMatch(/undefined|\[object Object\]|NaN/);
}
