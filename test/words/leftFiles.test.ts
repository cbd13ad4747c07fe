/** What is said of files that were uploaded for a record that could not be created. */
import type { LeftFiles } from '../../nodes/LeadGenPublishing/api/failure';
import { explain } from '../../nodes/LeadGenPublishing/words/explain';
import { leftFilesDetails, leftFilesWords } from '../../nodes/LeadGenPublishing/words/leftFiles';

type Kind = LeftFiles['kind'];

it.each<[Kind, paths: string[], unnamed: number, words: string]>([
	['deleted', ['a'], 0, 'The file uploaded for this item was deleted.'],
	['deleted', ['a', 'b'], 0, 'The files uploaded for this item were deleted.'],
	['deleted', [], 2, 'The files uploaded for this item were deleted.'],
	[
		'notDeleted',
		['a'],
		0,
		'The file uploaded for this item could not be deleted: a. To delete it, use Media > Delete.',
	],
	[
		'notDeleted',
		['a', 'b'],
		1,
		'The files uploaded for this item could not be deleted: a, b and 1 more. To delete them, use Media > Delete.',
	],
	[
		'notDeleted',
		[],
		1,
		'The file uploaded for this item could not be deleted, because the service did not return a path.',
	],
	[
		'keptForNextAttempt',
		['a'],
		0,
		'The file uploaded for this item stays for the next attempt: a.',
	],
	[
		'keptForNextAttempt',
		[],
		2,
		'The files uploaded for this item stay for the next attempt: 2 without a path.',
	],
	[
		'perhapsInUse',
		[],
		1,
		'The file uploaded for this item stays, because the post may use it: one without a path.',
	],
	[
		'perhapsInUse',
		['a', 'b'],
		0,
		'The files uploaded for this item stay, because the post may use them: a, b.',
	],
])('%s: %j and %i others', (kind, paths, unnamed, words) => {
	expect(leftFilesWords({ kind, paths, unnamed })).toBe(words);
});

it('nothing is said where nothing is left', () => {
	const none: LeftFiles = { kind: 'notDeleted', paths: [], unnamed: 0 };
	for (const left of [undefined, none]) {
		expect(leftFilesWords(left)).toBeUndefined();
		expect(leftFilesDetails(left)).toEqual({});
	}
});

it('the details have the paths of the files that are still there', () => {
	const of = (kind: Kind, ...paths: string[]) => leftFilesDetails({ kind, paths, unnamed: 1 });
	for (const kind of ['notDeleted', 'keptForNextAttempt', 'perhapsInUse'] as const)
		expect(of(kind, 'a', 'b')).toEqual({ uploaded_paths: ['a', 'b'] });
	expect(of('deleted', 'a')).toEqual({});
	expect(of('notDeleted')).toEqual({});
});

it('shows ten paths at most, none of them long, and nothing that opens the storage', () => {
	const paths = Array.from({ length: 12 }, (_, index) => `p${index}`);
	const left: LeftFiles = { kind: 'notDeleted', paths, unnamed: 0 };
	expect(leftFilesDetails(left).uploaded_paths).toEqual(paths.slice(0, 10));
	expect(leftFilesWords(left)).toContain(': p0, p1, p2, p3, p4, p5, p6, p7, p8, p9 and 2 more. ');
	const shown = (path: string) => leftFilesDetails({ ...left, paths: [path] }).uploaded_paths;
	expect(shown(' a/b.png?token=s3cret\n')).toEqual(['a/b.png']);
	expect(shown('a\u202e\nb')).toEqual(['a b']);
	expect(shown('x'.repeat(300))).toEqual(['x'.repeat(200)]);
	expect(shown('https://storage.example.com/a.png')).toEqual(['[URL hidden]']);
});

it('stands behind the advice of the failure', () => {
	const { next } = explain({
		...{ kind: 'answered', endpoint: 'post.create', agency: false, status: 400 },
		...{ retryable: false, attempts: 1, uncertain: false },
		leftFiles: { kind: 'deleted', paths: ['a'], unnamed: 0 },
	});
	expect(next).toMatch(/\. The file uploaded for this item was deleted\.$/);
});
