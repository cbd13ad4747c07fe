/** Create or Update with files and free slots: what a row that is run again uploads, moves and leaves. */
import type { INodeExecutionData } from 'n8n-workflow';

import type { JsonRecord } from '../../nodes/LeadGenPublishing/api/schemas';
import { runAsTool, withBinary } from '../support/engine';
import { setUpKit, subjectOf, type Parameters } from '../support/kit/index';

const kit = setUpKit({ resource: 'post', seed: 47, sample: 'none' });

const png = (more = ''): Buffer =>
	Buffer.concat([Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), Buffer.from(more)]);
const PDF = Buffer.from('%PDF-1.7 and some pages %%EOF');

/** Each test has a key of its own: the process remembers what it has created. */
let key = 'row-0';
let tests = 0;
const upsert = ({ options, ...more }: Parameters = {}): Parameters => ({
	...{ operation: 'upsert', uniqueKey: key, text: 'A post', ...more },
	options: { maxWaitSeconds: 5, ...(options as object) },
});
const attach = (binaryPropertyName: string, more: Parameters = {}) =>
	upsert({
		additionalFields: { attachments: { files: [{ source: 'binary', binaryPropertyName }] } },
		...more,
	});
const withFile = async (buffer: Buffer): Promise<INodeExecutionData[]> => [
	await withBinary({ json: {} }, { buffer, mimeType: 'image/png', fileName: 'a.png' }),
];

const UPLOAD = 'POST /media/upload-url';
const CREATE = 'POST /posts';
const CHANGE = 'PATCH /posts/<id>';
const steps = (): string[] =>
	kit
		.writes()
		.map(
			({ method, url }) =>
				`${method} ${url.replace('/api/v1', '').replace(/posts\/.*/, 'posts/<id>')}`,
		);
const bodyOf = (): JsonRecord => (kit.writes().at(-1)?.json ?? {}) as JsonRecord;
const own = () => kit.service.world.own;

async function run(parameters: Parameters, items?: INodeExecutionData[]): Promise<JsonRecord> {
	kit.service.clearLog();
	const { json } = await kit.item(parameters, items === undefined ? {} : { items });
	return json;
}

beforeEach(() => {
	key = `row-${(tests += 1)}`;
	for (const { id } of own().posts.toArray()) own().posts.remove(id);
	own().media.clear();
});

describe('a row with a file', () => {
	it('is created with it, and left alone while the file is the same', async () => {
		expect(await run(attach('data'), await withFile(png('1')))).toMatchObject({
			action: 'created',
		});
		expect(steps()).toEqual([UPLOAD, CREATE]);
		expect(bodyOf().notes).toMatch(/^\[unique-key: row-\d+ .*files=1\.17\.[\w-]{16}\]$/);
		expect(await run(attach('data'), await withFile(png('1')))).toMatchObject({
			action: 'unchanged',
		});
		expect([steps(), kit.service.storageRequests]).toEqual([[], []]);
	});

	it('gets another file in its place, and nothing else is sent', async () => {
		const { images } = await run(attach('data'), await withFile(png('1')));
		const changed = await run(attach('data'), await withFile(png('2')));
		expect(changed).toMatchObject({ action: 'updated', changed_fields: ['images'] });
		expect(changed.images).not.toEqual(images);
		expect(steps()).toEqual([UPLOAD, CHANGE]);
		expect(Object.keys(bodyOf()).sort()).toEqual(['images', 'notes']);
		expect(await run(attach('data'), await withFile(png('2')))).toMatchObject({
			action: 'unchanged',
		});
	});

	it('keeps its file where only the text is edited', async () => {
		const { images } = await run(attach('data'), await withFile(png('1')));
		const edited = await run(attach('data', { text: 'Edited' }), await withFile(png('1')));
		expect(edited).toMatchObject({ action: 'updated', changed_fields: ['text'], images });
		expect(steps()).toEqual([CHANGE]);
	});

	it('loses its file where its row gives none, and then has none', async () => {
		await run(attach('data'), await withFile(png('1')));
		const emptied = await run(attach('={{ "" }}'), await withFile(png('1')));
		expect(emptied).toMatchObject({ action: 'updated', changed_fields: ['images'], images: [] });
		expect(await run(attach('={{ "" }}'), [{ json: {} }])).toMatchObject({ action: 'unchanged' });
		const back = await run(attach('data'), await withFile(png('1')));
		expect(back).toMatchObject({ action: 'updated', changed_fields: ['images'] });
	});

	it('keeps its file where the field is not there any more', async () => {
		await run(attach('data'), await withFile(png('1')));
		expect(await run(upsert())).toMatchObject({ action: 'unchanged' });
	});

	it('gets a document in place of its image', async () => {
		await run(attach('data'), await withFile(png('1')));
		const changed = await run(attach('data'), await withFile(PDF));
		expect(changed).toMatchObject({ action: 'updated', images: [] });
		expect(String(changed.document_url)).toContain('http');
		expect(steps()).toEqual([UPLOAD, CHANGE]);
	});

	it('gets its file again if somebody has taken it out', async () => {
		const { id } = await run(attach('data'), await withFile(png('1')));
		own().posts.patch(String(id), { images: [] });
		expect(await run(attach('data'), await withFile(png('1')))).toMatchObject({
			action: 'updated',
			changed_fields: ['images'],
		});
	});

	it('whose post is published cannot get another file, and nothing is uploaded', async () => {
		const { id } = await run(attach('data'), await withFile(png('1')));
		own().posts.patch(String(id), { status: 'published' });
		expect(await run(attach('data'), await withFile(png('1')))).toMatchObject({
			action: 'unchanged',
		});
		kit.service.clearLog();
		const { error } = await kit.failure(attach('data'), { items: await withFile(png('2')) });
		expect(error).toContain('is published, and these fields can no longer be changed: images');
		expect([steps(), kit.service.storageRequests]).toEqual([[], []]);
	});

	it('loses the file that was uploaded for a change that was refused', async () => {
		await run(attach('data'), await withFile(png('1')));
		kit.service.clearLog();
		kit.service.faults.status(422, { method: 'PATCH' });
		const { message } = await kit.failure(attach('data'), { items: await withFile(png('2')) });
		expect(message).toMatch(/file .* was deleted/);
		expect(steps()).toEqual([UPLOAD, CHANGE, 'DELETE /media']);
		expect(own().media.size).toBe(1);
	});

	it('keeps what a change with a lost answer has uploaded, and another run finds it there', async () => {
		await run(attach('data'), await withFile(png('1')));
		kit.service.clearLog();
		kit.service.faults.add({ kind: 'reset', after: true }, { method: 'PATCH' });
		kit.service.faults.status(500, {
			method: 'GET',
			count: Infinity,
			when: () => steps().includes(CHANGE),
		});
		const { message, details } = await kit.failure(attach('data'), {
			items: await withFile(png('2')),
		});
		expect(message).toContain('stays, because the post may use it');
		expect(details).toMatchObject({ outcome: 'unknown' });
		expect(steps()).toEqual([UPLOAD, CHANGE]);
		kit.service.faults.clear();
		expect(await run(attach('data'), await withFile(png('2')))).toMatchObject({
			id: expect.anything(),
		});
		expect(steps()).toEqual([]);
	});

	it('shows in a dry run what would be sent, and uploads nothing', async () => {
		await run(attach('data'), await withFile(png('1')));
		const dry = await run(attach('data', { options: { dryRun: true } }), await withFile(png('2')));
		expect(dry).toMatchObject({
			request: { method: 'PATCH', body: { images: ['(URL of a.png)'] } },
		});
		expect(JSON.stringify(dry.notes)).toContain('a.png (image/png, 17 bytes)');
		expect([steps(), kit.service.storageRequests]).toEqual([[], []]);
	});
});

it('a model uploads nothing for a post that is scheduled: a person decides what goes out', async () => {
	const { id } = await run(attach('data'), await withFile(png('by a person')));
	own().posts.patch(String(id), { status: 'scheduled', scheduled_at: '2090-01-01T09:00:00Z' });
	const [path = ''] = [...own().media.keys()];
	const address = `${kit.service.storageUrl}/storage/v1/object/public/content-images/${path}`;
	const files = [{ source: 'url', fileUrl: "={{ $fromAI('address') }}" }];
	const parameters = upsert({ resource: 'post', additionalFields: { attachments: { files } } });
	own().posts.patch(String(id), { images: [] });
	kit.service.clearLog();
	const subject = subjectOf(kit.credentials(parameters));
	const { errorMessage } = await runAsTool({ ...subject, parameters, args: { address } });
	expect(errorMessage).toContain('only a person may decide');
	expect(steps()).toEqual([]);
	expect(kit.service.storageRequests.every(({ method }) => method === 'GET')).toBe(true);
});

describe('a row at the next free slot', () => {
	const planned = (more: Parameters = {}): Parameters => {
		const { options, ...others } = more;
		return upsert({
			...{ status: 'nextFreeSlot', planBy: 'slots', timeZone: 'UTC', minimumGapMinutes: 60 },
			...{ slots: 'Monday 09:00, Tuesday 09:00, Wednesday 09:00' },
			...others,
			options: { start: '2090-01-02T00:00:00Z', randomMinutes: 0, ...(options as object) },
		});
	};
	const day = (number: number): unknown => expect.stringContaining(`2090-01-0${number}T09:00`);

	it('keeps the slot that its post has, when it is run again and when its text is edited', async () => {
		const first = await run(planned());
		expect(first).toMatchObject({ action: 'created', status: 'scheduled', scheduled_at: day(2) });
		expect(await run(planned())).toMatchObject({ action: 'unchanged', scheduled_at: day(2) });
		expect(steps()).toEqual([]);
		const edited = await run(planned({ text: 'Edited' }));
		expect(edited).toMatchObject({
			action: 'updated',
			changed_fields: ['text'],
			scheduled_at: day(2),
		});
		expect(bodyOf()).toEqual({ text: 'Edited' });
		// A person has moved it meanwhile.
		own().posts.patch(String(first.id), { scheduled_at: '2090-02-01T10:00:00Z' });
		expect(await run(planned({ text: 'Edited' }))).toMatchObject({ action: 'unchanged' });
	});

	it('schedules a draft that exists, and leaves what is published', async () => {
		const { id } = await run(upsert({ status: 'draft' }));
		expect(await run(planned())).toMatchObject({ id, action: 'updated', scheduled_at: day(2) });
		expect(bodyOf()).toMatchObject({ status: 'scheduled', scheduled_at: day(2) });
		own().posts.patch(String(id), { status: 'published' });
		expect(await run(planned())).toMatchObject({ action: 'unchanged' });
	});

	it('takes a slot that no other row of the run has, and those of refused changes again', async () => {
		for (const one of ['a', 'b', 'c'])
			await run(upsert({ uniqueKey: one, status: 'draft', text: one }));
		kit.service.clearLog();
		kit.service.faults.status(422, { method: 'PATCH', nth: 2 });
		const rows = ['a', 'b', 'c', 'd'].map((one) => ({ json: { key: one } }));
		await kit.run(planned({ uniqueKey: '={{ $json.key }}', text: '={{ $json.key }}' }), {
			items: rows,
			onError: 'continueErrorOutput',
		});
		const times = kit.writes().map(({ json }) => (json as JsonRecord).scheduled_at);
		expect(times).toEqual([day(2), day(3), day(3), day(4)]);
	});

	it('may come with a file', async () => {
		const files = [{ source: 'binary', binaryPropertyName: 'data' }];
		const both = planned({ additionalFields: { attachments: { files } } });
		const created = await run(both, await withFile(png('1')));
		expect(created).toMatchObject({ action: 'created', scheduled_at: day(2) });
		expect(created.images).toHaveLength(1);
		expect(await run(both, await withFile(png('1')))).toMatchObject({ action: 'unchanged' });
	});
});
