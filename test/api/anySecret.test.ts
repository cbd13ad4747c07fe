/** No key, token, upload URL or e-mail address survives in a text, whatever stands around it. */
import * as fc from 'fast-check';

import { networkCode, unknownError } from '../../nodes/LeadGenPublishing/api/networkFailure';
import { scrubDetails, scrubText } from '../../nodes/LeadGenPublishing/api/scrub';
import { readTarget } from '../../nodes/LeadGenPublishing/api/upload';

const LONGEST = 2_001;

/** Texts of services and proxies, with pieces that look like what is to be hidden. */
const PIECES = [
	'Bearer ',
	'bearer\t',
	'"',
	"'",
	',',
	';',
	'=',
	'_',
	'-',
	'@',
	'?token=',
	'&sig=',
	'_live_',
	'_test_',
	'x_live_',
	'<b>',
	'\\n',
	'{"a":"',
	'/',
	'.',
	'[hidden]',
	' ',
	'\n',
	'é',
	'\ud83d',
];
const short = fc.oneof(
	fc.array(fc.constantFrom(...PIECES), { maxLength: 6 }).map((parts) => parts.join('')),
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

describe('a text holds no more', () => {
	it('of the key of the credential, which is known', () => {
		const anyKey = fc.oneof(
			key.map(({ text }) => text),
			fc.stringMatching(/^[!-~]{12,60}$/),
		);
		fc.assert(
			fc.property(anyKey, around, around, around, (secret, before, between, after) => {
				const clean = scrubText(before + secret + between + secret + after, [secret]);
				expect(clean).not.toContain(secret);
				expect(clean.length).toBeLessThanOrEqual(LONGEST);
			}),
			{ numRuns: 80 },
		);
	});

	it('of another key, recognised by its form', () => {
		fc.assert(
			fc.property(key, around, around, ({ text, body }, before, after) => {
				expect(scrubText(before + text + after)).not.toContain(body);
			}),
			{ numRuns: 80 },
		);
	});

	it('of what a request is authorized by', () => {
		const scheme = fc.constantFrom('Bearer ', 'bearer  ', 'BEARER\t', 'Authorization: Bearer ');
		const name = fc.constantFrom('token', 'signature', 'sig', 'key', 'X-Amz-Signature', 'SIG');
		fc.assert(
			fc.property(scheme, name, token, around, around, (how, parameter, secret, before, after) => {
				expect(scrubText(`${before}${how}${secret} ${after}`)).not.toContain(secret);
				for (const sign of ['?', '&'])
					expect(scrubText(`${before}${sign}${parameter}=${secret}${after}`)).not.toContain(secret);
			}),
			{ numRuns: 80 },
		);
	});

	it('of an e-mail address, in any alphabet', () => {
		const name = fc.stringMatching(/^[a-zA-Zéøßжי日\d][a-zA-Zéøßжי日\d._%+-]{0,20}$/);
		const domain = fc.stringMatching(
			/^(?:[a-zéøßжי日\d][a-zéøßжי日\d-]{0,8}\.){1,3}[a-zжи中国]{2,6}$/,
		);
		fc.assert(
			fc.property(name, domain, around, around, (who, host, before, after) => {
				const clean = scrubText(`${before} <${who}@${host}> ${after}`);
				expect(clean).not.toContain(`${who}@${host}`);
			}),
			{ numRuns: 80 },
		);
	});

	it('of an upload URL, its signature or its token, as a whole or in parts', () => {
		const target = fc.record({
			path: fc.stringMatching(/^(?:\/[\w.~-]{1,10}){1,3}$/),
			signature: fc.stringMatching(/^[A-Za-z\d+/=&%]{16,60}$/),
			token,
			baseUrl: fc.constant('https://api.example.com/v1'),
		});
		fc.assert(
			fc.property(
				target,
				around,
				around,
				({ path, signature, token: given, baseUrl }, before, after) => {
					const url = `https://storage.example.com${path}?sig=${encodeURIComponent(signature)}&t=${given}`;
					const { secrets } = readTarget({ upload_url: url, token: given }, { baseUrl });
					const { search } = new URL(url);
					for (const quoted of [
						url,
						search,
						search.slice(1),
						signature,
						encodeURIComponent(signature),
						given,
					]) {
						const clean = scrubText(before + quoted + after, secrets);
						for (const secret of [
							url,
							search.slice(1),
							signature,
							encodeURIComponent(signature),
							given,
						])
							expect(clean).not.toContain(secret);
					}
				},
			),
			{ numRuns: 60 },
		);
	});
});

const percent = (text: string): string =>
	[...text].map((one) => `%${one.charCodeAt(0).toString(16)}`).join('');

describe('a secret is recognised', () => {
	const FORMS: Array<[string, (secret: string) => string]> = [
		['in capitals', (secret) => secret.toUpperCase()],
		['encoded for an address', percent],
		['encoded twice', (secret) => percent(percent(secret)).toUpperCase()],
		['escaped for JSON', (secret) => secret.replaceAll('/', '\\/').replaceAll('e', '\\u0065')],
		['escaped for HTML', (secret) => secret.replaceAll('a', '&#97;').replaceAll('e', '&#x65;')],
		['in hex', (secret) => Buffer.from(secret).toString('hex')],
		['in base64', (secret) => Buffer.from(secret).toString('base64')],
		['in base64 with a name', (secret) => Buffer.from(`key:${secret}!`).toString('base64')],
		['in base64 for addresses', (secret) => Buffer.from(`me:${secret}`).toString('base64url')],
		['in part, its beginning', (secret) => secret.slice(0, 14)],
		['in part, its end', (secret) => `…${secret.slice(-14)}`],
	];

	it.each(FORMS)('%s', (_, form) => {
		fc.assert(
			fc.property(fc.stringMatching(/^[A-Za-z\d/+_-]{24,60}$/), around, (secret, before) => {
				const quoted = form(secret);
				const clean = scrubText(`${before.slice(0, 900)} "${quoted}" .`, [secret]);
				const core = quoted.slice(5, -5);
				expect(clean).not.toContain(core);
				expect(clean).toContain('[hidden]');
			}),
			{ numRuns: 40 },
		);
	});

	it('in the path of an upload address, and the words around it stay', () => {
		const url = 'https://storage.example.com/up/eyJhbGciOiJIUzI1NiJ9.c2lnbmVk/file?x=1';
		const { secrets } = readTarget({ upload_url: url }, { baseUrl: 'https://api.example.com' });
		const words = 'No object /up/EYJhbGciOiJIUzI1NiJ9%2Ec2lnbmVk/file (eyJhbGciOiJI), x is 1';
		expect(scrubText(words, secrets)).toBe('No object [hidden] [hidden] x is 1');
	});

	it('as a whole only, if it is short, and other words are left alone', () => {
		expect(
			scrubText('abcdefgh abcdefg. http svc_live_… x', ['abcdefgh', 'svc_live_12345678']),
		).toBe('[hidden] abcdefg. http svc_live_… x');
		expect(scrubText('ab AB', ['ab', ''])).toBe('ab AB');
	});
});

it('nor do details, at any depth, in names or in values', () => {
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
	fc.assert(
		fc.property(
			key.chain(({ text }) =>
				fc.tuple(
					fc.constant(text),
					fc.dictionary(fc.constantFrom('a', 'b', '__proto__'), holder(text), {
						noNullPrototype: true,
					}),
				),
			),
			([secret, details]) => {
				const clean = scrubDetails(details, [secret]);
				expect(JSON.stringify(clean)).not.toContain(secret);
				expect(Object.getPrototypeOf(clean)).toBe(Object.prototype);
				expect(Object.keys(clean).sort()).toEqual(Object.keys(details).sort());
			},
		),
		{ numRuns: 60 },
	);
});

it('nor does the error of a failed connection, whose words are ours, or scrubbed', () => {
	const codes = fc.oneof(
		fc.constantFrom('ECONNRESET', 'CERT_HAS_EXPIRED', 'HPE_INVALID_CONSTANT', 'toString', ''),
		fc.anything(),
	);
	fc.assert(
		fc.property(key, codes, around, around, ({ text }, code, before, after) => {
			const error = Object.assign(new Error(before + text + after), {
				code,
				cause: { code, config: { headers: { Authorization: text } } },
			});
			const words = networkCode(error);
			expect(['string', 'undefined']).toContain(typeof words);
			expect(String(words)).not.toContain(text);
			const unknown = unknownError(error, [text]);
			expect([unknown.message.includes(text), Object.keys(unknown)]).toEqual([false, []]);
		}),
		{ numRuns: 60 },
	);
});

describe('a page of any length', () => {
	/** The lengths of all texts in which patterns are looked for. */
	function lengthsFor(text: string, secrets: readonly string[] = []): number[] {
		const lengths: number[] = [];
		const replace = RegExp.prototype[Symbol.replace];
		const spy = jest.spyOn(RegExp.prototype, Symbol.replace as never).mockImplementation(function (
			this: RegExp,
			...given: unknown[]
		) {
			lengths.push(String(given[0]).length);
			return replace.apply(this, given as never) as never;
		} as never);
		try {
			scrubText(text, secrets);
		} finally {
			spy.mockRestore();
		}
		return lengths;
	}

	it('is shortened before patterns are looked for, which takes them the square of its length', () => {
		fc.assert(
			fc.property(
				fc.constantFrom('x', 'a@', '_live_', 'Bearer', 'xy '),
				fc.integer({ min: 1, max: 300_000 }),
				(piece, length) => {
					const text = piece.repeat(Math.ceil(length / piece.length));
					const lengths = lengthsFor(text, ['a-secret']);
					expect(lengths.length).toBeGreaterThanOrEqual(4);
					expect(Math.max(...lengths)).toBeLessThanOrEqual(4_000);
				},
			),
			{ numRuns: 30 },
		);
	});

	it('is not shortened as long as it is short', () => {
		const text = 'word '.repeat(390);
		expect(new Set(lengthsFor(text))).toEqual(new Set([text.length]));
		expect(scrubText(text)).toBe(text);
	});
});
