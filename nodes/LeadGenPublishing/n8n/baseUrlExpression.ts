import { PASTED_ENDPOINT } from '../api/baseUrl';

/** The normalisation of `api/baseUrl.ts` as an n8n expression, for the credential test. */
export const baseUrlExpression = (value: string): string =>
	`={{ ${value}.trim().split(/[?#]/)[0].replace(/\\/+$/, '').replace(/${PASTED_ENDPOINT.source}/i, '').replace(/\\/+$/, '') }}`;
