/**
 * Differences between service and document, planted one at a time: what is reported then, and nothing
 * else.
 */
import { DIFFERENCES, type DifferenceName } from '../../fake-service/differences';
import { isAboutClients } from '../../fake-service/differences/plant';
import { isOfTrial } from '../../fake-service/differences/trial';
import { setUpKit } from '../support/kit/index';
import { FOUND, itemOf, VERDICTS, worksOf } from './found';
import { diagnosed, EVIDENCE, type Items } from './scene';

// The differences are not as described.
const kit = setUpKit({ isStrict: false, skipsWaits: true });

/** Clocks, times and marks are not the same twice. */
const steady = (text: string): string =>
	text
		.replace(/\b(59\d|60\d) seconds/g, '600 seconds')
		.replace(/n8n-diagnosis-\w+/g, 'n8n-diagnosis-…');

it.each(Object.entries(FOUND) as Array<[DifferenceName, (typeof FOUND)[DifferenceName]]>)(
	'%s',
	async (name, found) => {
		const { service } = kit;
		const { keys } = service.world;
		const remove = DIFFERENCES[name]?.plant(service);
		const apiKey = isAboutClients(name) ? keys.agency : keys.own;
		const options = { maxWaitSeconds: name === 'vagueWait' ? 30 : 3 };
		const items = await diagnosed(kit, { alsoTryWrites: true, options }, apiKey);
		remove?.();
		const [summary, ...rest] = items;
		expect(rest.map((item) => ({ ...item, seen: steady(String(item.seen)) }))).toEqual(
			found.map((one) => expect.objectContaining(itemOf(one)) as unknown),
		);
		expect(summary?.result).toBe(rest[0]?.result ?? 'ok');
		const [, works = ''] = /works?: ([^.]*)\./.exec(String(summary?.means)) ?? [];
		expect(works).toBe(worksOf(name));
		expect(JSON.stringify(items)).not.toMatch(/Jane|John|crm\.example|<h1>/);
		removeLeft(items);
	},
);

/** What a difference has kept from being removed would be found by the next test. */
function removeLeft(items: Items): void {
	const { own } = kit.service.world;
	if (items.every(({ left }) => Array.isArray(left) && left.length === 0)) return;
	for (const kind of [own.posts, own.leadMagnets])
		for (const record of kind.toArray()) if (isOfTrial(record)) kind.remove(record.id);
	own.media.clear();
}

/** Kinds that no fake service shows; `judge.test.ts` has facts for them. */
const ELSEWHERE = [
	'Base URL: tls',
	'Base URL: blocked',
	'Base URL: noHost',
	'Key: forbidden',
	'Speed: slow',
	'Service word: hidden',
	'Scopes: none',
	'Grants: untried',
	'Access to clients: unexplained',
	'Clients: withheld',
	'Complete lists: endRefused',
	'Request IDs: differing',
];

it('every other kind of finding that needs a person, or is unusual, is reported by one of them', () => {
	const shown = Object.values(FOUND).flatMap((found) => found.map(({ finding }) => finding));
	const unseen = [...VERDICTS].flatMap(([finding, { result }]) =>
		(result === 'needs_you' || result === 'unusual') && !shown.includes(finding) ? [finding] : [],
	);
	expect(unseen.sort()).toEqual([...ELSEWHERE].sort());
});

it('are counted in docs/evidence.md', () => {
	const found = Object.values(FOUND);
	const { length: silent } = found.filter((findings) => findings.length === 0);
	expect(EVIDENCE).toContain(`| planted differences | ${found.length} |`);
	expect(EVIDENCE).toContain(`| of these, without effect for users and not reported | ${silent} |`);
});
