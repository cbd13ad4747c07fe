/** Deletions of files and archiving: what counts as gone, and what stays in doubt. */
import type { ApiFailure } from '../../nodes/LeadGenPublishing/api/failure';
import type { JsonRecord } from '../../nodes/LeadGenPublishing/api/schemas';
import { archiveLeadMagnet } from '../../nodes/LeadGenPublishing/operations/leadMagnet/archive';
import { deleteMedia } from '../../nodes/LeadGenPublishing/operations/media/delete';
import { prepare } from '../contract/everyOperation';
import { withBinary } from '../support/engine';
import { setUpKit } from '../support/kit/index';
import { failing, failure, ID, itemOf, type ItemReply, type Scene } from './itemScene';
import type { SomeFacts } from '../support/facts';

const lost = () => failure(502);
const gone = () => failure(404);
const DELETED = { deleted: true, id: ID };

describe('a lead magnet', () => {
	const archiving = (scene: Scene) => itemOf(archiveLeadMagnet, { leadMagnetId: ID }, scene);
	const ofMagnet = (answer: ItemReply, read: ItemReply = {}) => ({
		answers: { 'leadMagnet.archive': [answer], 'leadMagnet.get': [read] },
	});

	it('whose answer was lost counts as archived where it is gone, with a word', async () => {
		const { run, said } = archiving(ofMagnet(lost(), gone()));
		expect(await run()).toEqual(DELETED);
		expect(said).toEqual([expect.stringMatching(/^The response to archiving .* was lost\./)]);
	});

	it('is archived by one request', async () => {
		const { run, asked, said } = archiving(ofMagnet({}));
		expect([await run(), asked(), said]).toEqual([DELETED, ['leadMagnet.archive'], []]);
	});

	it('that is not found without such an attempt is an error, without a read', async () => {
		for (const scene of [{}, { earlier: { kind: 'notDone' } as const }]) {
			const { run, asked } = archiving({ ...ofMagnet(gone()), ...scene });
			expect((await failing(run())).facts).toMatchObject({ status: 404 });
			expect(asked()).toEqual(['leadMagnet.archive']);
		}
	});
});

describe('a file', () => {
	const deleting = (
		answers: ItemReply[],
		{ customFields = {}, path = ' a/b.png ' }: { customFields?: JsonRecord; path?: string } = {},
	) =>
		itemOf(
			deleteMedia,
			{ path, options: { customFields } },
			{ answers: { 'media.delete': answers } },
		);
	const BY_PATH = { deleted: true, path: 'a/b.png' };
	it.each<[string, JsonRecord, JsonRecord, JsonRecord]>([
		['its path', {}, {}, BY_PATH],
		['what the user names', { path: '' }, { media_id: 7 }, { deleted: true, media_id: 7 }],
		['both', {}, { media_id: 7 }, BY_PATH],
	])('is deleted by %s', async (_, path, customFields, result) => {
		const { run, sent } = deleting([{}], { ...path, customFields });
		expect(await run()).toEqual(result);
		const body = { ...('path' in path ? {} : { path: 'a/b.png' }), ...customFields };
		expect(sent).toEqual([{ name: 'media.delete', body }]);
	});

	const rejected = (message = 'no path', more: SomeFacts = {}) =>
		failure(400, { code: 'bad_request', serviceMessage: message, ...more });
	const PATH = { path: 'a/b.png' };
	const IN_BODY = { name: 'media.delete', body: PATH };
	const IN_QUERY = { name: 'media.delete', query: PATH };

	it('is deleted by the same fields in the query, where the service rejects them in the body', async () => {
		const { run, sent } = deleting([rejected(), {}]);
		expect([await run(), sent]).toEqual([BY_PATH, [IN_BODY, IN_QUERY]]);
	});

	it.each<[string, ApiFailure, ApiFailure, 'first' | 'second']>([
		['rejected in both', rejected(), rejected('unknown parameter'), 'first'],
		['not found by the query', rejected(), gone(), 'second'],
		['in doubt after the query', rejected(), lost(), 'second'],
	])('that is %s fails with what says most', async (_, first, second, shown) => {
		const { run, sent } = deleting([first, second]);
		expect(await failing(run())).toBe(shown === 'first' ? first : second);
		expect(sent).toEqual([IN_BODY, IN_QUERY]);
	});

	it.each<[string, ApiFailure]>([
		['it is not found', gone()],
		['a state is in the way', failure(409)],
		['the key may not', failure(403)],
		['a value is rejected', failure(422, { code: 'bad_request' })],
		['the response is a page of a proxy', rejected('', { problem: 'webPage', kind: 'unreadable' })],
		['an earlier response was lost', rejected('', { uncertain: true })],
	])('is asked for once where %s', async (_, first) => {
		const { run, sent } = deleting([first]);
		expect(await failing(run())).toBe(first);
		expect(sent).toEqual([IN_BODY]);
	});

	it('needs a name that is not taken away again', async () => {
		const { run } = deleting([{}], { path: '', customFields: { x: null } });
		await expect(run()).rejects.toThrow('"Path" is empty');
	});
	it('is not deleted without its path where an expression finds none', async () => {
		const bucket = { bucket: 'content-images' };
		const sentBy = async (path: unknown, customFields: JsonRecord) => {
			const options = { customFields };
			const stored = { path: '={{ $json.path }}', options };
			const scene = { answers: { 'media.delete': [{}] }, stored };
			const { run, sent } = itemOf(deleteMedia, { path, options }, scene);
			const outcome: unknown = await run().catch((thrown: unknown) => thrown);
			return { outcome, sent: sent.map(({ body }) => body) };
		};
		for (const missing of [undefined, null, Number.NaN]) {
			expect(await sentBy(missing, bucket)).toMatchObject({
				outcome: {
					message: 'The parameter "Path" is an expression that returned no value',
					remedy:
						'Map the path that the upload returned, or empty text if "Custom Fields" name the file.',
				},
				sent: [],
			});
			for (const path of [null, 'c.png'])
				expect(await sentBy(missing, { ...bucket, path })).toMatchObject({
					outcome: { deleted: true },
					sent: [path === null ? bucket : { ...bucket, path }],
				});
		}
		expect((await sentBy('', bucket)).sent).toEqual([bucket]);
	});

	it('is not deleted a second time after a lost answer: nothing makes that safe', async () => {
		const first = lost();
		const { run, sent } = deleting([first]);
		expect(await failing(run())).toBe(first);
		expect(sent).toHaveLength(1);
		expect(deleteMedia.resume).toBeUndefined();
	});
});

describe('a service that takes the name of a file in the query', () => {
	// The description of the API assumes the body.
	const kit = setUpKit({ isStrict: false, deleteMediaIn: 'query' });
	const PNG = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.from('a file IEND')]);

	it('deletes a file, and one that a rejected post has left', async () => {
		const { media } = kit.service.world.own;
		const file = { buffer: PNG, mimeType: 'image/png', fileName: 'a.png' };
		const items = [await withBinary({ json: {} }, file)];
		const { json } = await kit.item({ resource: 'media', operation: 'upload' }, { items });
		expect(media.size).toBe(1);
		await kit.item({ resource: 'media', operation: 'delete', path: json.path });
		expect(media.size).toBe(0);
		kit.service.faults.add({ kind: 'error', status: 422 }, { method: 'POST', path: '/posts' });
		const { message } = await kit.failure(
			{
				...{ resource: 'post', operation: 'create', text: 'A post' },
				additionalFields: { attachments: { files: [{ binaryPropertyName: 'data' }] } },
			},
			{ items },
		);
		expect(message).toMatch(/file .* was deleted/);
		expect(media.size).toBe(0);
	});
});

describe('an answer that says that nothing was deleted', () => {
	const kit = setUpKit();

	it.each(['post.delete', 'leadMagnet.archive', 'media.delete'] as const)(
		'is an error of %s, in an envelope or without one',
		async (name) => {
			for (const body of ['{"deleted":false}', '{"data":{"deleted":false}}']) {
				const { parameters } = await prepare(kit.service, name);
				kit.service.faults.add({ kind: 'raw', status: 200, body }, { method: 'DELETE' });
				const { error, details } = await kit.failure(parameters);
				expect(error).toContain('accepted the request but reported that nothing was deleted');
				expect(details).toMatchObject({ code: 'not_deleted', outcome: 'unknown' });
			}
		},
	);
});
