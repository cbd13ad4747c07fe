/** No key, token, upload URL or e-mail address survives in a text, whatever stands around it. */
import * as fc from 'fast-check';

import type { JsonRecord } from '../../nodes/LeadGenPublishing/api/schemas';
import { scrubDetails, scrubText } from '../../nodes/LeadGenPublishing/api/scrub';
import { readTarget } from '../../nodes/LeadGenPublishing/api/upload';

const KEY = 'svc_live_abcdef0123456789';
const LONGEST = 2_001;

/** Texts of services and proxies, with pieces that look like what is to be hidden. */
const PIECES =
	'Bearer |bearer\t|"|\'|,|;|=|_|-|@|?token=|&sig=|_live_|_test_|x_live_|<b>|\\n|{"a":"|/|.|[hidden]| |\n|é|\ud83d';
const short = fc.oneof(
	fc.array(fc.constantFrom(...PIECES.split('|')), { maxLength: 6 }).map((parts) => parts.join('')),
	fc.string({ unit: 'binary', maxLength: 30 }),
	fc.lorem({ maxCount: 8 }),
);
const long = fc
	.tuple(
		fc.constantFrom('x', 'word ', 'é', '\n', 'a@', 'Bearer ', '_live_', 'a.b@c.'),
		fc.integer({ min: 0, max: 6_000 }),
	)
	.map(([piece, count]) => piece.repeat(Math.ceil(count / piece.length)));
const around = fc.oneof({ weight: 4, arbitrary: short }, { weight: 1, arbitrary: long });

const key = fc
	.tuple(
		fc.stringMatching(/^[A-Za-z\d]{1,12}([_-][A-Za-z\d]{1,6})?$/),
		fc.constantFrom('live', 'test'),
		fc.stringMatching(/^[A-Za-z\d][\w~+/.-]{14,40}[A-Za-z\d]$/),
	)
	.map(([word, kind, body]) => ({ text: `${word}_${kind}_${body}`, body }));
const token = fc.stringMatching(/^[A-Za-z\d_-]{12,60}$/);
const check = <Given extends [unknown, ...unknown[]]>(
	property: fc.IProperty<Given>,
	numRuns = 80,
): void => fc.assert(property, { numRuns });

describe('a text holds no more', () => {
	it('of the key of the credential, which is known', () => {
		const anyKey = fc.oneof(
			key.map(({ text }) => text),
			fc.stringMatching(/^[!-~]{12,60}$/),
		);
		check(
			fc.property(anyKey, around, around, around, (secret, before, between, after) => {
				const clean = scrubText(before + secret + between + secret + after, [secret]);
				expect(clean).not.toContain(secret);
				expect(clean.length).toBeLessThanOrEqual(LONGEST);
			}),
		);
	});

	it('of another key, recognised by its form', () => {
		check(
			fc.property(key, around, around, ({ text, body }, before, after) => {
				expect(scrubText(before + text + after)).not.toContain(body);
			}),
		);
		for (const word of ['acme', 'acme_io', 'my-svc', 'my_svc2_x', 'ACME'])
			for (const kind of ['live', 'test'])
				expect(scrubText(`the key "${word}_${kind}_s3cretPart-of.it" is unknown`)).toBe(
					'the key "[key hidden]" is unknown',
				);
		for (const part of ['a-', 'a_'])
			expect(scrubText(`${part.repeat(100)}b_live_s3cret`)).not.toContain('s3cret');
	});

	it('of what a request is authorized by', () => {
		const scheme = fc.constantFrom('Bearer ', 'bearer  ', 'BEARER\t', 'Authorization: Bearer ');
		const name = fc.constantFrom('token', 'signature', 'sig', 'key', 'X-Amz-Signature', 'SIG');
		check(
			fc.property(scheme, name, token, around, around, (how, parameter, secret, before, after) => {
				expect(scrubText(`${before}${how}${secret} ${after}`)).not.toContain(secret);
				for (const sign of ['?', '&'])
					expect(scrubText(`${before}${sign}${parameter}=${secret}${after}`)).not.toContain(secret);
			}),
		);
	});

	it('of an e-mail address, in any alphabet', () => {
		const name = fc.stringMatching(/^[a-zA-Zéøßжי日\d][a-zA-Zéøßжי日\d._%+-]{0,20}$/);
		const domain = fc.stringMatching(
			/^(?:[a-zéøßжי日\d][a-zéøßжי日\d-]{0,8}\.){1,3}[a-zжи中国]{2,6}$/,
		);
		check(
			fc.property(name, domain, around, around, (who, host, before, after) => {
				const clean = scrubText(`${before} <${who}@${host}> ${after}`);
				expect(clean).not.toContain(`${who}@${host}`);
			}),
		);
	});

	it('of an upload URL, its signature or its token, as a whole or in parts', () => {
		const path = fc.stringMatching(/^(?:\/[\w.~-]{1,10}){1,3}$/);
		const signature = fc.stringMatching(/^[A-Za-z\d+/=&%]{16,60}$/);
		check(
			fc.property(path, signature, token, around, around, (below, sig, given, before, after) => {
				const encoded = encodeURIComponent(sig);
				const url = `https://storage.example.com${below}?sig=${encoded}&t=${given}`;
				const baseUrl = 'https://api.example.com/v1';
				const { secrets } = readTarget({ upload_url: url, token: given }, { baseUrl });
				const { search } = new URL(url);
				const parts = [url, search.slice(1), sig, encoded, given];
				for (const quoted of [search, ...parts]) {
					const clean = scrubText(before + quoted + after, secrets);
					for (const secret of parts) expect(clean).not.toContain(secret);
				}
			}),
			60,
		);
	});
});

const entities = (text: string, write: (code: number) => string): string =>
	[...text].map((one) => write(one.charCodeAt(0))).join('');
const percent = (text: string): string =>
	[...text].map((one) => `%${one.charCodeAt(0).toString(16)}`).join('');

describe('a secret is recognised', () => {
	const inBase64 = (text: string, way: BufferEncoding = 'base64') =>
		Buffer.from(text).toString(way);
	const FORMS: Array<[string, (secret: string) => string]> = [
		['in capitals', (secret) => secret.toUpperCase()],
		['encoded for an address', percent],
		[
			'escaped for JSON',
			(secret) =>
				secret.replaceAll('/', '\\/').replaceAll('e', '\\u0065').replaceAll('a', '\\u0061'),
		],
		['in base64', (secret) => inBase64(secret)],
		['in HTML entities', (secret) => entities(secret, (code) => `&#${code};`)],
		['in hexadecimal ones', (secret) => entities(secret, (code) => `&#x${code.toString(16)};`)],
		['in base64 with a name', (secret) => inBase64(`key:${secret}!`)],
		['in base64 for addresses', (secret) => inBase64(`me:${secret}`, 'base64url')],
		['in part, its beginning', (secret) => secret.slice(0, 14)],
		['in part, its end', (secret) => `…${secret.slice(-14)}`],
	];

	it.each(FORMS)('%s', (_, form) => {
		check(
			fc.property(fc.stringMatching(/^[A-Za-z\d/+_-]{24,60}$/), around, (secret, before) => {
				const quoted = form(secret);
				const clean = scrubText(`${before.slice(0, 900)} "${quoted}" .`, [secret]);
				expect(clean).not.toContain(quoted.slice(5, -5));
				expect(clean).toContain('[hidden]');
			}),
			40,
		);
	});

	it('in base64 for addresses, whose signs for + and / are others', () => {
		const secret = '~?>'.repeat(6);
		for (const before of ['', ' ', '  '])
			expect(scrubText(`a ${inBase64(before + secret, 'base64url')}`, [secret])).toBe('a [hidden]');
	});

	it('in the path of an upload address, and the words around it stay', () => {
		const url = 'https://storage.example.com/up/eyJhbGciOiJIUzI1NiJ9.c2lnbmVk/file?x=1';
		const { secrets } = readTarget({ upload_url: url }, { baseUrl: 'https://api.example.com' });
		const words = 'No object /up/EYJhbGciOiJIUzI1NiJ9%2Ec2lnbmVk/file (eyJhbGciOiJI), x is 1';
		expect(scrubText(words, secrets)).toBe('No object [hidden] [hidden] x is 1');
	});

	it.each<[what: string, text: string, secrets: string[], clean: string]>([
		['as a whole only, if it is short', 'abcdefgh abcdefg.', ['abcdefgh'], '[hidden] abcdefg.'],
		['and then as it is', 'YWJjZGVmZ2g= abcdefg', ['abcdefgh'], 'YWJjZGVmZ2g= abcdefg'],
		['from four characters on', 'abc abcd', ['abc', 'abcd'], 'abc [hidden]'],
		['not if it may stand by chance', 'ab AB', ['ab', ''], 'ab AB'],
		['not in a placeholder', 'http svc_live_… x', ['svc_live_12345678'], 'http svc_live_… x'],
	])('%s', (_, text, secrets, clean) => {
		expect(scrubText(text, secrets)).toBe(clean);
	});
});

describe('HTML entities hide nothing', () => {
	const all = (text: string) => entities(text, (code) => `&#${code};`);
	const named = (text: string) =>
		text.replace(/[_/:.?=&]/g, (sign) => {
			const name = { _: 'lowbar', '/': 'sol', ':': 'colon', '.': 'period', '?': 'quest' }[sign];
			return `&${name ?? (sign === '=' ? 'equals' : 'amp')};`;
		});
	const URL_TO_SIGN = 'https://s.example/up/a.png?x=1&token=t0p';

	it.each([
		['another key', KEY, '[key hidden]'],
		['an upload URL', URL_TO_SIGN, '[URL hidden]'],
		['an email address', 'ada.marlowe@example.com', '[email hidden]'],
		['what a request is authorized by', `Bearer ${KEY}`, 'Bearer [hidden]'],
	])('%s', (_, text, hidden) => {
		for (const written of [all(text), entities(text, (code) => `&#X${code.toString(16)}`)])
			expect(scrubText(`"${written}" is old`)).toBe(`"${hidden}" is old`);
		expect(scrubText(`"${named(text)}" is old`)).toBe(`"${hidden}" is old`);
	});

	it('and other text can be read', () => {
		expect(scrubText('R&amp;D can&#39;t &#x2F; won&apos;t')).toBe("R&D can't / won't");
		// No markup appears that was not there.
		const kept = 'a &lt;b&gt; &#60;i&#x3e; &unknown; &#0; &#99999999; AT&T; a&b';
		expect(scrubText(kept)).toBe(kept);
	});
});

it.each([
	[`Authorization: Bearer ${KEY}`, 'Authorization: Bearer [hidden]'],
	// A signed upload URL, however it is quoted.
	...[
		'https://s.example/up?token=t0p&x=1.',
		'http://s.example/up/c2lnbmVk0123456789abcdef',
		'https%3A%2F%2Fs.example%2Fup%3Ftoken%3Dt0p',
		'https:\\/\\/s.example\\/up?token=t0p',
		'/storage/v1/object/upload/sign/a.png?token=t0p',
		'up/a.png?x=1&amp;signature=t0p',
		'HTTPS://s.example/?X-Amz-Signature=cafe01',
	].map((url) => [`cannot write to "${url}" now`, 'cannot write to "[URL hidden]" now']),
	[
		'see https://docs.example.com/v1/posts for more',
		'see https://docs.example.com/v1/posts for more',
	],
	// A part that may be a signature has twenty characters, one of them a digit.
	...['abcdefghijklmnopqr7', 'abcdefghijklmnopqrstuvwxyz'].map((part) => [
		`see https://docs.example.com/${part}/`,
		`see https://docs.example.com/${part}/`,
	]),
	['see https://docs.example.com/abcdefghijklmnopqrs7/', 'see [URL hidden]'],
	['a token eyJhbGciOiJIUzI1NiJ9.eyJzdWIi.c2lnbmVk is old', 'a token [hidden] is old'],
	['write to ada.marlowe+x@example.co.uk now', 'write to [email hidden] now'],
	['must be in the future (limit 100, offset 0)', 'must be in the future (limit 100, offset 0)'],
])('all other words of "%s" stay', (text, clean) => {
	expect(scrubText(text, ['zzzz9999zzzz'])).toBe(clean);
});

describe('details of the service', () => {
	it('lose what is secret or personal at every depth, and keep the rest', () => {
		const details = {
			...{ reason: 'stale_provider_version', spacing_minutes: 60, token: 'abc', gone: null },
			...{ upload_url: 'https://s.example/1', uploadUrl: 'x', Authorization: 'x', apiKey: 'x' },
			...{ emails: { work: 'a@b.co' }, email: 'x', content: 'x', note: `from ${KEY}` },
			...{ profile_url: 'x', network_profile_url: 'x', author_profile_url: 'x' },
			nested: { author_name: 'Ada', status: 'x', access_token: 'abc', list: [{ secret: 1 }] },
		};
		expect(scrubDetails(details, [KEY])).toEqual({
			...{ reason: 'stale_provider_version', spacing_minutes: 60, gone: null },
			...{ nested: { status: 'x', list: [{}] }, note: 'from [hidden]' },
		});
		const alike = ['secret_santa', 'top_secret', 'misleading', 'contents', 'my_content', 'leads'];
		const kept = Object.fromEntries(alike.map((name) => [name, 'kept']));
		expect(scrubDetails(kept)).toEqual(kept);
	});

	it('lose the name of a person with the rest of what describes one, and keep other names', () => {
		const person = { id: '1', name: 'Ada', headline: 'x', latest_keyword: 'x', emails: {} };
		const other = { name: 'scheduled_at', field_name: 'x', keyword: 'x' };
		const details = { reason: 'x', person, other, list: [{ form_name: 'x', profile_url: 'x' }] };
		expect(scrubDetails(details)).toEqual({
			...{ reason: 'x', person: { id: '1' }, other, list: [{}] },
		});
	});

	it.each<[string, (inner: unknown) => JsonRecord]>([
		['in records', (inner) => ({ inner })],
		['in lists', (inner) => ({ inner: [inner] })],
	])('end where they are nested deeper than anybody reads: %s', (_, wrap) => {
		/** Whether the end of it is kept, beside so many levels of records and lists. */
		const isKept = (levels: number): boolean => {
			let details: JsonRecord = { end: 'there' };
			const step = Array.isArray(wrap(0).inner) ? 2 : 1;
			for (let level = 0; level < levels; level += step) details = wrap(details);
			return JSON.stringify(scrubDetails(details)).includes('there');
		};
		expect([2, 20, 22, 3_000].map(isKept)).toEqual([true, true, false, false]);
	});

	it('hold no secret, in names or in values, whatever they are called', () => {
		const holder = (secret: string) =>
			fc.letrec<{ value: unknown }>((tie) => ({
				value: fc.oneof(
					{ maxDepth: 3, withCrossShrink: true },
					fc.tuple(around, around).map(([before, after]) => before + secret + after),
					fc.array(tie('value'), { maxLength: 3 }),
					fc.dictionary(
						fc.oneof(
							fc.constantFrom(secret, `a ${secret}`, '__proto__', 'note', 'token', 'email'),
							fc.string(),
						),
						tie('value'),
						{ maxKeys: 3, noNullPrototype: true },
					),
				),
			})).value;
		const names = fc.constantFrom('a', 'b', '__proto__');
		const secretDetails = key.chain(({ text }) =>
			fc.tuple(fc.constant(text), fc.dictionary(names, holder(text), { noNullPrototype: true })),
		);
		check(
			fc.property(secretDetails, ([secret, details]) => {
				const clean = scrubDetails(details, [secret]);
				expect(JSON.stringify(clean)).not.toContain(secret);
				expect(Object.getPrototypeOf(clean)).toBe(Object.prototype);
				expect(Object.keys(clean).sort()).toEqual(Object.keys(details).sort());
			}),
			60,
		);
	});
});

/** Counts how many values are read, at any depth. */
function counted<T extends object>(root: T): { value: T; reads: () => number } {
	let reads = 0;
	const watch = <V extends object>(value: V): V =>
		new Proxy(value, {
			get: (target, name): unknown => {
				reads += 1;
				const inner: unknown = Reflect.get(target, name);
				return typeof inner === 'object' && inner !== null ? watch(inner) : inner;
			},
		});
	return { value: watch(root), reads: () => reads };
}

describe('what is shown of a service', () => {
	it('holds no control character, and nothing that turns the writing round', () => {
		const text = 'a\r\nb\u001b[31mc\u0000d\u202ee\u2066f\u200bg\u007fh\u0085i\u2028j';
		expect(scrubText(text)).toBe('a b[31mcdefgh i j');
		expect(scrubDetails({ 'na\nme': text })).toEqual({ 'na me': 'a b[31mcdefgh i j' });
		// Of an emoji of a family.
		expect(scrubText('\u{1f468}\u200d\u{1f469}')).toBe('\u{1f468}\u200d\u{1f469}');
	});

	it.each<[string, () => JsonRecord]>([
		[
			'of long texts',
			() =>
				Object.fromEntries(Array.from({ length: 99 }, (_, i) => [`f${i}`, 'wörd '.repeat(400)])),
		],
		[
			'of many fields',
			() => Object.fromEntries(Array.from({ length: 400_000 }, (_, i) => [`f${i}`, i])),
		],
		['of long lists', () => ({ list: Array.from({ length: 400_000 }, () => 'text') })],
		[
			'of lists in lists',
			() => ({
				list: Array.from({ length: 2_000 }, () => Array.from({ length: 200 }, () => ({ a: 'b' }))),
			}),
		],
		[
			'of long names',
			() =>
				Object.fromEntries(Array.from({ length: 99 }, (_, i) => [`${i}${'n'.repeat(1_500)}`, 1])),
		],
	])('is bounded in sum, %s', (_, make) => {
		const { value: details, reads } = counted(make());
		const clean = scrubDetails(details, [KEY]);
		expect(reads()).toBeLessThan(20_000);
		expect(clean.truncated).toBe(true);
		expect(JSON.stringify(clean).length).toBeLessThan(50_000);
	});
});

it('a page of any length keeps its beginning, to the letter, and no half of an address', () => {
	const words = 'four '.repeat(400);
	expect(scrubText(words)).toBe(words);
	expect(scrubText(`${words}x`)).toBe(`${words}…`);
	expect(scrubText('a'.repeat(1_000_000)).length).toBeLessThan(2_010);
	// Beyond twice as much, the last word is left out before anything is looked for.
	const cut = `${'x'.repeat(1_990)} ${' '.repeat(1_989)}ada@example.com`;
	expect(scrubText(cut)).not.toContain('ada');
	const bearers = `${`Bearer ${'x'.repeat(1_000)} `.repeat(3)}${'y '.repeat(480)}`;
	expect(scrubText(`${bearers}ada.marlowe@example.com`)).not.toContain('ada.marlowe');
});
