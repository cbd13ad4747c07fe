/** Which hints n8n gets, and where it shows them. */
import { Notices } from '../../nodes/LeadGenPublishing/run/notices';

type Hint = { message: string; location?: string; type?: string };

function collected() {
	const hints: Hint[] = [];
	const addExecutionHints = (...given: Hint[]) => void hints.push(...given);
	return { hints, notices: new Notices({ addExecutionHints: addExecutionHints as never }) };
}

it('stand beside the output, each once, with their details', () => {
	const { hints, notices } = collected();
	notices.say('One.');
	notices.say('Two.', { type: 'warning' });
	notices.say('One.');
	expect(hints).toEqual([
		{ message: 'One.', location: 'outputPane' },
		{ message: 'Two.', location: 'outputPane', type: 'warning' },
	]);
});

it('with numbers come at the end, as sums over all items', () => {
	const { hints, notices } = collected();
	const say = ({ a = 0, b = 0 }) => [`a: ${a}, b: ${b}.`];
	notices.count({ counts: { a: 1 }, say });
	notices.count({ counts: { a: 2, b: 3 }, say });
	expect(hints).toEqual([]);
	notices.end({ failed: 0, size: 2 });
	expect(hints).toEqual([{ message: 'a: 3, b: 3.', location: 'outputPane' }]);
});

it('that count failures are warnings, and only stand where there are several items', () => {
	const { hints, notices } = collected();
	notices.end({ failed: 1, size: 1 });
	notices.end({ failed: 0, size: 2 });
	expect(hints).toEqual([]);
	notices.end({ failed: 1, size: 2 });
	expect(hints).toEqual([
		{
			message: '1 of 2 items failed. See "message" in each of these items.',
			location: 'outputPane',
			type: 'warning',
		},
	]);
});
