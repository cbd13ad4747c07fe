/** Which files may be uploaded, and what an error about one says. */
import type { JsonRecord } from '../../nodes/LeadGenPublishing/api/schemas';
import { createUploadUrl } from '../../nodes/LeadGenPublishing/operations/media/createUploadUrl';
import {
	contentTypeOptions,
	extensionOf,
	limitOf,
	plainType,
} from '../../nodes/LeadGenPublishing/operations/media/limits';
import { itemScene } from './itemScene';

it.each([
	['image/png', 'image/png'],
	[' IMAGE/JPG ; name=x', 'image/jpeg'],
	['image/pjpeg', 'image/jpeg'],
	['application/pdf;charset=binary', 'application/pdf'],
	['', ''],
])('the type "%s" is "%s"', (given, expected) => {
	expect(plainType(given)).toBe(expected);
});

it('a type has an extension and a limit, or none that is known', () => {
	const types = ['application/pdf', 'image/gif', 'image/jpeg', 'image/png', 'image/webp'];
	expect(types.map(extensionOf)).toEqual(['pdf', 'gif', 'jpg', 'png', 'webp']);
	expect(types.map(limitOf)).toEqual([15_728_640, ...Array<number>(4).fill(5_242_880)]);
	expect([extensionOf('text/html'), limitOf('text/html')]).toEqual(['bin', undefined]);
	expect(contentTypeOptions.map(({ name }) => name)).toEqual(['GIF', 'JPEG', 'PDF', 'PNG', 'WebP']);
});

describe('an upload URL', () => {
	const asking = (parameters: JsonRecord) => {
		const item = itemScene(
			{ fileName: ' a.png ', contentType: 'image/png', fileSize: ' 16 ', ...parameters },
			{ answers: { 'media.createUploadUrl': [{ token: 't' }] } },
		);
		return { ...item, run: async () => await createUploadUrl.run(item.call) };
	};
	const custom = (customFields: JsonRecord) => ({ options: { customFields } });
	const pdf = (fileSize: number) => ({ contentType: 'application/pdf', fileSize });

	it('is asked for by name, type and size, with custom fields over them', async () => {
		const { run, sent } = asking(custom({ folder: 'x', file_size: 17 }));
		expect(await run()).toEqual({ token: 't' });
		const body = { filename: 'a.png', content_type: 'image/png', file_size: 17, folder: 'x' };
		expect(sent[0]?.body).toEqual(body);
	});

	it.each([{ fileSize: 1 }, { fileSize: 5_242_880 }, pdf(15_728_640)])(
		'may be for %j',
		async (parameters) => {
			expect(await asking(parameters).run()).toEqual({ token: 't' });
		},
	);

	const EMPTY = 'gives "file_size" a value that is empty';
	const UNKNOWN = 'gives "content_type" a value that is not known, which the service does not take';
	it.each<[JsonRecord, string]>([
		[{ fileSize: 0 }, '"File Size (Bytes)" must be a whole number of at least 1'],
		[{ fileSize: 5_242_881 }, '"File Size (Bytes)" has 5242881 bytes, but at most 5242880 are'],
		[pdf(15_728_641), '"File Size (Bytes)" has 15728641 bytes, but at most 15728640 are'],
		[custom({ file_size: 5_242_881 }), 'Fields" gives "file_size" a value that has 5242881 bytes'],
		[custom({ file_size: 0 }), EMPTY],
		[custom({ file_size: 1.5 }), EMPTY],
		[custom({ file_size: '5' }), EMPTY],
		[custom({ content_type: 'x/y' }), 'Fields" gives "content_type" a value that is x/y'],
		[custom({ content_type: '' }), UNKNOWN],
		[custom({ content_type: 7 }), UNKNOWN],
	])('is not asked for with %j', async (parameters, expected) => {
		const { run, sent } = asking(parameters);
		await expect(run()).rejects.toThrow(expected);
		expect(sent).toEqual([]);
	});

	it('names the size that is allowed', async () => {
		const remedy = 'Make the file smaller than 15 MB. Nothing was sent for this item.';
		await expect(asking(pdf(15_728_641)).run()).rejects.toMatchObject({ remedy });
	});
});
