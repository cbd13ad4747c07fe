/** What stands beside the output: said once, in sum, and without a word of a record. */
import { Notices } from '../../nodes/LeadGenPublishing/run/notices';

it('nothing breaks where n8n has no place for hints', () => {
	const notices = new Notices({});
	expect(() => notices.say('A sentence')).not.toThrow();
	expect(() => notices.end({ failed: 1, size: 2 })).not.toThrow();
});

describe('beside the output', () => {
	const told = (say: (notices: Notices) => void) => {
		const hints: unknown[] = [];
		const notices = new Notices({ addExecutionHints: (...given) => void hints.push(...given) });
		say(notices);
		return hints;
	};
	const location = 'outputPane';

	it('each sentence stands once, with what was said of it', () => {
		const hints = told((notices) => {
			notices.say('One');
			notices.say('Other', { type: 'warning' });
			notices.say('One', { type: 'warning' });
		});
		expect(hints).toEqual([
			{ message: 'One', location },
			{ message: 'Other', location, type: 'warning' },
		]);
	});

	it('numbers of several items stand in sum, in the end', () => {
		const say = (sums: Readonly<Record<string, number>>) => [JSON.stringify(sums)];
		const hints = told((notices) => {
			notices.count({ counts: { read: 2, without: 0 }, say });
			notices.count({ counts: { read: 3, other: 1 }, say });
			notices.end({ failed: 0, size: 2 });
		});
		expect(hints).toEqual([{ message: '{"read":5,"without":0,"other":1}', location }]);
	});

	it.each([
		[0, 5, 0],
		[1, 1, 0],
		[1, 2, 1],
		[2, 2, 1],
	])('of %i failures among %i items there are %i sentences', (failed, size, count) => {
		expect(told((notices) => notices.end({ failed, size }))).toHaveLength(count);
	});
});
