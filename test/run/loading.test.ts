/** Limits, types and words that the code makes once, while it is loaded: each test loads it anew. */
import type * as Lists from '../../nodes/LeadGenPublishing/methods/listSearch';
import type * as UploadUrl from '../../nodes/LeadGenPublishing/operations/media/createUploadUrl';
import type * as Limits from '../../nodes/LeadGenPublishing/operations/media/limits';
import type * as Upload from '../../nodes/LeadGenPublishing/operations/media/upload';
import type * as Emptiness from '../../nodes/LeadGenPublishing/parameters/parse/jsonValues';
import type * as Entries from '../../nodes/LeadGenPublishing/parameters/parse/lists';
import type * as Items from '../../nodes/LeadGenPublishing/run/executeItems';
import { listed, postsOf } from '../methods/scriptedList';
import { itemScene } from '../operations/itemScene';
import { ADDRESS, IMAGE, uploading } from '../operations/uploadScene';
import { loadAnew } from '../support/loadAnew';
import { heldUntil, idOf, scriptedRun } from './scriptedRun';

const load = <M>(path: string): M =>
	loadAnew((module) => module<M>(`nodes/LeadGenPublishing/${path}`));
const messageOf = async (work: Promise<unknown>): Promise<string> =>
	await work.then(
		() => 'none',
		(error: unknown) => (error as Error).message,
	);

describe('reads', () => {
	const parameters = { resource: 'post', operation: 'get', actAs: 'own', simplify: false };
	const each = { postId: Array.from({ length: 60 }, (_, index) => idOf(index)) };

	it('are sent ten at a time', async () => {
		const { executeItems: execute } = load<typeof Items>('run/executeItems');
		const { held, most } = heldUntil(10);
		const answer = held(() => ({ data: { id: 'x' } }));
		await scriptedRun({ parameters, each, answer, execute });
		expect(most()).toBe(10);
	});
});

describe('a file', () => {
	it('is of one of five types, each with its limit and its ending', () => {
		const { CONTENT_TYPES, contentTypeOptions, extensionOf, limitOf } =
			load<typeof Limits>('operations/media/limits');
		expect(CONTENT_TYPES.map((type) => [type, limitOf(type), extensionOf(type)])).toEqual([
			['application/pdf', 15_728_640, 'pdf'],
			['image/gif', 5_242_880, 'gif'],
			['image/jpeg', 5_242_880, 'jpg'],
			['image/png', 5_242_880, 'png'],
			['image/webp', 5_242_880, 'webp'],
		]);
		expect(contentTypeOptions).toEqual([
			{ name: 'GIF', value: 'image/gif' },
			{ name: 'JPEG', value: 'image/jpeg' },
			{ name: 'PDF', value: 'application/pdf' },
			{ name: 'PNG', value: 'image/png' },
			{ name: 'WebP', value: 'image/webp' },
		]);
	});

	it('is sent twice at most, and refused by what is wrong with it', async () => {
		const { upload: operation } = load<typeof Upload>('operations/media/upload');
		const storage = [503, 503, 503].map((statusCode) => ({ statusCode }));
		const lasting = uploading({ operation, answers: [ADDRESS], storage });
		expect(await messageOf(lasting.run())).toContain('storage_error');
		expect(lasting.stored).toHaveLength(2);
		const of = async (more: Record<string, unknown>) =>
			await messageOf(uploading({ operation, binary: { data: { ...IMAGE, ...more } } }).run());
		expect(await of({ mimeType: 'text/plain' })).toContain(
			'a file whose content type is text/plain',
		);
		expect(await of({ data: '' })).toContain('a file whose content is empty');
	});

	it('that is too big for an upload URL is so by its size', async () => {
		const { createUploadUrl } = load<typeof UploadUrl>('operations/media/createUploadUrl');
		const given = { fileName: 'a.png', contentType: 'image/png', fileSize: 5_242_881 };
		expect(await messageOf(createUploadUrl.run(itemScene(given).call))).toContain(
			'"File Size (Bytes)" has 5242881 bytes',
		);
	});
});

it('a list of the editor is read from its own address, ten pages in a step', async () => {
	const lists = load<typeof Lists>('methods/listSearch');
	const records = postsOf(1_300, 'Other');
	const { asked } = await listed({ records, filter: 'none such' }, lists);
	expect(asked).toHaveLength(10);
	expect(asked[0]).toBe('/posts 0');
	for (const [method, path] of [
		['searchClients', '/clients 0'],
		['searchLeadMagnets', '/lead-magnets 0'],
	] as const)
		expect((await listed({ method }, lists)).asked).toEqual([path]);
});

describe('in a text', () => {
	it('nothing is what shows no character, or is a word for it', () => {
		const { isBlank, isEmptyEntry } = load<typeof Emptiness>('parameters/parse/jsonValues');
		expect(['', ' \u200b\ufeff\n', '\u200ba', 'a\u200b'].map(isBlank)).toEqual([
			...[true, true, false, false],
		]);
		expect(['null', ' undefined ', 'none', 'nullable'].map(isEmptyEntry)).toEqual([
			...[true, true, false, false],
		]);
	});

	it('entries are told apart in any case', () => {
		const { entriesOfText } = load<typeof Entries>('parameters/parse/lists');
		expect(entriesOfText('HTTPS://x/a,b,HTTPS://x/c')).toEqual(['HTTPS://x/a,b', 'HTTPS://x/c']);
	});
});
