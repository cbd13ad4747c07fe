/**
 * Nothing that reads a text from outside takes more than a moment, however long and repetitive the
 * text is. The test finds every regular expression of the package, and every function that takes
 * only texts. A table lists the functions that take a text as part of something else.
 */
import { join } from 'node:path';

import ts from 'typescript';

import { allowedDomainsFor } from '../../nodes/LeadGenPublishing/api/allowedDomains';
import { parseBody } from '../../nodes/LeadGenPublishing/api/body';
import { signRequest } from '../../nodes/LeadGenPublishing/api/signRequest';
import { readAnswer } from '../../nodes/LeadGenPublishing/api/answer';
import { routeOf } from '../../nodes/LeadGenPublishing/api/endpoints';
import { messageOf } from '../../nodes/LeadGenPublishing/words/message';
import { noResponseOf } from '../../nodes/LeadGenPublishing/api/connectionFailure';
import { readRetryAfter } from '../../nodes/LeadGenPublishing/api/retryAfter';
import { scrubDetails, scrubText } from '../../nodes/LeadGenPublishing/api/scrub';
import type { HttpResponse } from '../../nodes/LeadGenPublishing/api/transport';
import { readTarget } from '../../nodes/LeadGenPublishing/api/upload';
import { profileUrlField } from '../../nodes/LeadGenPublishing/api/wire';
import { readSources } from '../docs/sources';

const LENGTH = 100_000;
/** At most 50 ms of processor time. Quadratic time would take seconds. */
const MAX_MS = 100;

const PIECES =
	'a|A|0| |\n|.|/|\\|-|_|@|%|;|:|=|&|"|{|é|\ud83d|a.|a@|%2|%25|%2e|%41|\\u0041|&amp;|_live_|a_live_|/me|/v1/|Bearer |key=|0-|-a|, |{{ |$json.|[unique-key: |2030-'
		.split('|')
		.flatMap((piece) => [piece, `${piece}\u0001`]);
/** One character repeated, or with a different end, where a match could still fail. */
const textsOf = (length: number): string[] =>
	PIECES.map((piece) => {
		const [same, mark] = piece.endsWith('\u0001') ? [piece.slice(0, -1), 'x!'] : [piece, ''];
		return same.repeat(Math.ceil(length / same.length)).slice(0, length) + mark;
	});
const TEXTS = textsOf(LENGTH);

function slowReadings(read: (text: string) => unknown, texts = TEXTS): string[] {
	// Of this thread alone, whatever else the machine is doing.
	const ms = (text: string): number => {
		const from = process.threadCpuUsage();
		try {
			read(text);
		} catch {
			// A rejected text was read, too.
		}
		return process.threadCpuUsage(from).user / 1_000;
	};
	let isSlow = false;
	return texts.flatMap((text) => {
		// One is enough.
		if (isSlow) return [];
		// The best of several, because garbage collection counts, too.
		let best = ms(text);
		for (let again = 0; again < 3 && best > MAX_MS; again += 1) best = Math.min(best, ms(text));
		isSlow = best > MAX_MS;
		return isSlow ? [`${JSON.stringify(text.slice(0, 12))}: ${Math.round(best)} ms`] : [];
	});
}

const sources = readSources();

/** Texts that are cut before they are read, and where. */
const SHORTENED: Readonly<Record<string, number>> = {
	// `scrubbed` keeps twice the longest text that is shown.
	'api/scrub.ts': 4_000,
	'api/wire.ts': 4_000,
};

interface Pattern {
	readonly name: string;
	readonly file: string;
	readonly pattern: RegExp;
}
const patterns = sources.flatMap(({ file, tree }) => {
	const found: Pattern[] = [];
	const visit = (node: ts.Node): void => {
		if (ts.isRegularExpressionLiteral(node)) {
			const end = node.text.lastIndexOf('/');
			const pattern = new RegExp(node.text.slice(1, end), node.text.slice(end + 1));
			const name = `${file}: ${node.text}`;
			// A pattern without repetition reads each character once.
			if (/[*+]|\{\d+,/.test(pattern.source)) found.push({ name, file, pattern });
		}
		ts.forEachChild(node, visit);
	};
	visit(tree);
	return found;
});

it('every regular expression is found', () => {
	const made = sources.filter(({ tree }) => /\bnew RegExp\(|\bRegExp\(/.test(tree.getFullText()));
	// Its function takes only a text, so it is found below.
	expect(made.map(({ file }) => file)).toEqual(['parse/lists.ts']);
	expect(patterns.length).toBeGreaterThan(50);
});

it.each(patterns)('$name', ({ file, pattern }) => {
	const read = (text: string): unknown =>
		pattern.global ? text.replace(pattern, '') : pattern.test(text);
	expect(slowReadings(read, file in SHORTENED ? textsOf(SHORTENED[file] ?? 0) : TEXTS)).toEqual([]);
});

/** Exported functions that take only texts, or unknown values. */
const ROOMS = new Set(['api', 'panel', 'operations', 'watch', 'run']);
const readers = sources
	.filter(({ room }) => ROOMS.has(room))
	.flatMap(({ file, tree }) => {
		const exported = (node: ts.Node): boolean =>
			ts.canHaveModifiers(node) &&
			(ts.getModifiers(node) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
		return tree.statements.filter(exported).flatMap((statement) => {
			const functions: Array<[string | undefined, ts.SignatureDeclaration]> =
				ts.isFunctionDeclaration(statement)
					? [[statement.name?.text, statement]]
					: ts.isVariableStatement(statement)
						? statement.declarationList.declarations.flatMap(({ name, initializer }) =>
								initializer && ts.isArrowFunction(initializer)
									? [[name.getText(tree), initializer] as [string, ts.SignatureDeclaration]]
									: [],
							)
						: [];
			return functions.flatMap(([name, { parameters }]) => {
				const types = parameters.map(({ type }) => type?.getText(tree) ?? '');
				const isReader =
					types.length > 0 &&
					types.every((type) => /^(unknown|string( \| (undefined|number|null))?)$/.test(type));
				return isReader && name !== undefined ? [{ file, name, count: types.length }] : [];
			});
		});
	});

it.each(readers)('$file $name', async ({ file, name, count }) => {
	const path = join(__dirname, '../../nodes/LeadGenPublishing', file);
	const module = (await import(path)) as Record<string, (...texts: string[]) => unknown>;
	const read = module[name];
	if (read === undefined) throw new Error(`${file} does not export ${name}`);
	expect(slowReadings((text) => read(...Array.from({ length: count }, () => text)))).toEqual([]);
});

const BASE = 'https://api.example.com/api/v1';
const KEY = 'svc_live_0123456789abcdef';
const answer = ({ body, ...response }: HttpResponse) =>
	readAnswer(
		{ ...response, body: parseBody(body) },
		{
			...({ name: 'post.get', secrets: [KEY], now: 0 } as const),
			requestId: 'n8n:1',
		},
	);

const PARTS: Record<string, (text: string) => unknown> = {
	scrubText: (text) => scrubText(text, [KEY]),
	scrubDetails: (text) => scrubDetails({ [text]: text, deep: [{ a: text }] }, [KEY]),
	'scrubText for a long secret': (text) => scrubText(text, [text.slice(0, 1_000)]),
	signRequest: (text) => signRequest({ url: `${BASE}/${text}` }, { baseUrl: BASE, apiKey: KEY }),
	routeOf: (text) => routeOf('post.get', { params: { id: text } }),
	readTarget: (text) =>
		readTarget({ upload_url: `https://x.example.com/${text}?${text}` }, { baseUrl: BASE }),
	allowedDomainsFor: (text) =>
		allowedDomainsFor(BASE, { allowedHttpRequestDomains: 'domains', allowedDomains: text }),
	'an answer': (text) => answer({ status: 500, headers: { 'x-request-id': text }, body: text }),
	'an error envelope': (text) =>
		answer({
			status: 409,
			headers: {},
			body: { error: { code: text, message: text, details: { reason: text } } },
		}),
	'the words of an error': (text) =>
		messageOf({
			...({ kind: 'answered', endpoint: 'post.get', agency: false, retryable: false } as const),
			...{ attempts: 1, uncertain: false, status: 400, serviceMessage: text.slice(0, 2_001) },
		}),
	readRetryAfter: (text) => readRetryAfter({ 'retry-after': text, date: text }, 0),
	profileUrlField: (text) => profileUrlField({ [`${text}_profile_url`]: text, [text]: text }),
	noResponseOf: (text) => noResponseOf(Object.assign(new Error(text), { code: text }), [KEY]),
};

it.each(Object.keys(PARTS))('%s', (name) => {
	expect(slowReadings(PARTS[name] ?? (() => undefined))).toEqual([]);
});
