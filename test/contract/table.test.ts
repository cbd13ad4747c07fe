import { parseDocument } from './document';
import { contractTable, evidenceOf, titlesOf } from './table';

const rows = contractTable();

it('has a row for each endpoint, agency variant, code and reason of the document', () => {
	const count = (group: string) => rows.filter((row) => row.group === group).length;
	const { endpoints, codes, reasons } = parseDocument();
	const agency = endpoints.filter((one) => one.agency !== null);
	expect(['endpoint', 'agency', 'code', 'reason'].map(count)).toEqual(
		[endpoints, agency, codes, reasons].map(({ length }) => length),
	);
	expect([codes.length, reasons.length]).toEqual([10, 23]);
});

it('has a test in every row', () => {
	expect(rows.filter(({ tests }) => tests.length === 0).map(({ tag }) => tag)).toEqual([]);
});

it('knows every tag that a test carries', () => {
	const tags = new Set(rows.map(({ tag }) => tag));
	const unknown = evidenceOf().flatMap(({ file, title }) =>
		[...title.matchAll(/\[((?:code |reason )\w+|[a-z]\w*\.[a-z]\w*(?: agency)?)\]/g)]
			.map(([, tag = '']) => tag)
			.filter((tag) => !tags.has(tag))
			.map((tag) => `${file}: ${tag}`),
	);
	expect(unknown).toEqual([]);
});

it('fills in the rows of .each, and counts nothing that does not run', () => {
	const source = `
		const ROWS = [['a', 1], ['b', 2]] as const;
		describe('[outer]', () => {
			it('one', () => {});
			it.skip('[never]', () => {});
			test.todo('[later]');
			it.each(ROWS)('[%s] is %i', () => {});
			it.each(['x', 'y'])('%p', () => {});
			it.each(computed())('[%s]', () => {});
		});
		describe.skip('[off]', () => { it('inside', () => {}); });
		xit('[crossed out]', () => {});
	`;
	expect(titlesOf('a.test.ts', source)).toEqual([
		'[outer] one',
		'[outer] [a] is %i',
		'[outer] [b] is %i',
		'[outer] x',
		'[outer] y',
		'[outer] [%s]',
	]);
});
