/** A diagnosis on n8n's engine, against a fake service of its own. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from '../../scripts/n8n/folders';
import type { FakeService } from '../../fake-service/index';
import type { setUpKit } from '../support/kit/index';
import type { Parameters } from '../support/kit/index';

/** The page that counts what the tests of Diagnose plant. */
export const EVIDENCE = readFileSync(join(ROOT, 'docs', 'evidence.md'), 'utf8');

export const DIAGNOSE = { resource: 'account', operation: 'diagnose' } as const;

type Kit = ReturnType<typeof setUpKit>;

export const as = ({ baseUrl }: FakeService, apiKey: string) => ({
	credentials: { baseUrl, apiKey },
});

/** The items of one diagnosis. */
export const diagnosed = async (kit: Kit, given: Parameters = {}, apiKey?: string) =>
	await kit.records(
		{ ...DIAGNOSE, ...given },
		as(kit.service, apiKey ?? kit.service.world.keys.own),
	);
export type Items = Awaited<ReturnType<typeof diagnosed>>;

/** What is reported after the summary, as "check: result". */
export const reported = (items: Items): string[] =>
	items
		.slice(1)
		.filter(({ result }) => result === 'needs_you' || result === 'unusual')
		.map(({ check, result }) => `${String(check)}: ${String(result)}`);
