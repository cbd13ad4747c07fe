/** The rules of the code in `is-everything-all-right.json`, which n8n runs as it stands. */
import { readExample } from './example';

interface Checked {
	check: string;
	result: string;
	client_ids: string[];
}
interface Told {
	subject: string;
	text: string;
	open: Record<string, string>;
}
type Code = (
	$input: { all(): Array<{ json: object }> },
	$: (node: string) => { first(): { json: Told } },
	$getWorkflowStaticData: (of: string) => object,
) => Array<{ json: Told }>;

const { nodes } = readExample('is-everything-all-right');
const codeOf = (node: string) => {
	const code = nodes.find(({ name }) => name === node)?.parameters.jsCode;
	return new Function('$input', '$', '$getWorkflowStaticData', String(code)) as Code;
};
const compare = codeOf('What Has Changed');
const remember = codeOf('Remember');

/** One workflow over several mornings: what it tells each time; an email may fail. */
function mornings() {
	const memory = {};
	return (checks: Checked[], { isSent = true } = {}): Told | undefined => {
		const items = [{ check: 'Summary', result: 'failed', client_ids: [] }, ...checks].map(
			(one) => ({
				json: { seen: 'something', means: 'It matters.', do_next: 'Act.', ...one },
			}),
		);
		const input = { all: () => items };
		const none = () => {
			throw new Error('no node is asked for here');
		};
		const [told, ...others] = compare(input, none, () => memory);
		expect(others).toEqual([]);
		if (told !== undefined && isSent)
			expect(
				remember(
					input,
					() => ({ first: () => told }),
					() => memory,
				),
			).toEqual([]);
		return told?.json;
	};
}
const checked = (check: string, result: string, ...client_ids: string[]): Checked => ({
	...{ check, result, client_ids },
});

it('tells nothing while everything is as it should be, or was never seen', () => {
	const morning = mornings();
	const checks = [checked('Key', 'holds'), checked('Clock', 'not seen')];
	expect([morning(checks), morning(checks)]).toEqual([undefined, undefined]);
	expect(morning([checked('Key', 'holds'), checked('Clock', 'holds')])).toBeUndefined();
});

it.each(['failed', 'differs'])('tells once what %s, and once that it is fine again', (result) => {
	const morning = mornings();
	const bad = [checked('Key', 'holds'), checked('Clock', result)];
	expect(morning(bad)).toMatchObject({
		subject: '1 check needs you',
		text: `${result.toUpperCase()}: Clock\nSeen: something\nIt matters.\nAct.`,
	});
	expect(morning(bad)).toBeUndefined();
	expect(morning([checked('Key', 'holds'), checked('Clock', 'holds')])).toMatchObject({
		subject: 'Everything is all right again',
		text: 'FINE AGAIN: Clock\nSeen: something',
	});
	expect(morning(bad)).toBeDefined();
});

it('tells what is new beside what is known', () => {
	const morning = mornings();
	morning([checked('Clock', 'differs')]);
	const told = morning([checked('Clock', 'differs'), checked('Key', 'failed')]);
	expect(told?.subject).toBe('2 checks need you');
	expect(told?.text).not.toContain('Clock');
	expect(morning([checked('Clock', 'failed'), checked('Key', 'failed')])?.text).toMatch(
		/^FAILED: Clock/,
	);
});

it('tells that one more client is concerned, whatever their order', () => {
	const morning = mornings();
	expect(morning([checked('Grants', 'differs', 'b', 'a')])?.text).toContain('Clients: b, a');
	expect(morning([checked('Grants', 'differs', 'a', 'b')])).toBeUndefined();
	expect(morning([checked('Grants', 'differs', 'a', 'b', 'c')])).toBeDefined();
});

it('takes what could not be seen for neither better nor worse', () => {
	const morning = mornings();
	morning([checked('Clock', 'differs')]);
	expect(morning([checked('Clock', 'not seen')])).toBeUndefined();
	expect(morning([checked('Clock', 'differs')])).toBeUndefined();
});

it('tells again what could not be sent', () => {
	const morning = mornings();
	const bad = [checked('Clock', 'differs')];
	expect(morning(bad, { isSent: false })).toBeDefined();
	expect(morning(bad)).toBeDefined();
	expect(morning(bad)).toBeUndefined();
});
