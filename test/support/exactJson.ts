import * as fc from 'fast-check';

const holdsOnlyExactNumbers = (value: unknown): boolean =>
	typeof value === 'object' && value !== null
		? Object.values(value).every(holdsOnlyExactNumbers)
		: !Number.isInteger(value) || Number.isSafeInteger(value);

/** JSON without the whole numbers that are refused, since they may have lost digits. */
export const exactJson = (constraints?: fc.JsonSharedConstraints): fc.Arbitrary<unknown> =>
	fc.jsonValue(constraints).filter(holdsOnlyExactNumbers);
