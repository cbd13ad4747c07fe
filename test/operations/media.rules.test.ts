/** Which files may be uploaded, and what an error about one says. */
import { InputError } from '../../nodes/LeadGenPublishing/api/failure';
import type { JsonRecord } from '../../nodes/LeadGenPublishing/api/schemas';
import { createUploadUrl } from '../../nodes/LeadGenPublishing/operations/media/createUploadUrl';
import {
	checkUpload,
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

it.each<[JsonRecord, string]>([
	[
		{ content_type: 'image/tiff', file_size: 5 },
		'content_type is image/tiff, which the service does not take',
	],
	[
		{ content_type: '', file_size: 5 },
		'content_type is not known, which the service does not take',
	],
	[{ content_type: 7, file_size: 5 }, 'content_type is not known, which the service does not take'],
	[{ content_type: 'image/png', file_size: 0 }, 'file_size is empty'],
	[{ content_type: 'image/png', file_size: 1.5 }, 'file_size is empty'],
	[{ content_type: 'image/png', file_size: '5' }, 'file_size is empty'],
	[
		{ content_type: 'image/png', file_size: 5_242_881 },
		'file_size has 5242881 bytes, but at most 5242880 are allowed for PNG: Make the file smaller than 5 MB. Nothing was sent for this item.',
	],
	[
		{ content_type: 'application/pdf', file_size: 15_728_641 },
		'file_size has 15728641 bytes, but at most 15728640 are allowed for PDF: Make the file smaller than 15 MB. Nothing was sent for this item.',
	],
])('%j is refused', (body, expected) => {
	const fail = (field: string, problem: string, remedy: string) =>
		new InputError(`${field} ${problem}: ${remedy}`, remedy);
	expect(() => checkUpload(body, fail)).toThrow(expected);
	expect(() => checkUpload({ content_type: 'image/png', file_size: 1 }, fail)).not.toThrow();
});

describe('an upload URL', () => {
	const asking = (parameters: JsonRecord) => {
		const item = itemScene(
			{ fileName: ' a.png ', contentType: 'image/png', fileSize: ' 16 ', ...parameters },
			{ answers: { 'media.createUploadUrl': [{ token: 't' }] } },
		);
		return { ...item, run: async () => await createUploadUrl.run(item.call) };
	};

	it('is asked for by name, type and size, with custom fields over them', async () => {
		const { run, sent } = asking({ options: { customFields: { folder: 'x', file_size: 17 } } });
		expect(await run()).toEqual({ token: 't' });
		expect(sent[0]?.body).toEqual({
			filename: 'a.png',
			content_type: 'image/png',
			file_size: 17,
			folder: 'x',
		});
	});

	it.each<[JsonRecord, string]>([
		[{ fileSize: 5_242_881 }, '"File Size (Bytes)" has 5242881 bytes'],
		[{ fileSize: 0 }, '"File Size (Bytes)" must be a whole number of at least 1'],
		[
			{ options: { customFields: { file_size: 5_242_881 } } },
			'"Options > Custom Fields" gives "file_size" a value that has 5242881 bytes',
		],
		[
			{ options: { customFields: { content_type: 'x/y' } } },
			'"Options > Custom Fields" gives "content_type" a value that is x/y',
		],
	])('is not asked for with %j', async (parameters, expected) => {
		const { run, sent } = asking(parameters);
		await expect(run()).rejects.toThrow(expected);
		expect(sent).toEqual([]);
	});
});
