/** Uploads through n8n's own binary storage, on the engine: what arrives, and what a further try does. */
import { createHash, randomBytes } from 'node:crypto';

import { Container } from '@n8n/di';
import { BinaryDataService } from 'n8n-core';

import { withBinary, type BinaryMode } from '../support/engine';
import { setUpKit } from '../support/kit/index';

const kit = setUpKit({ resource: 'media' });
const PDF_LIMIT = 15 * 1024 * 1024;
const UPLOAD = { operation: 'upload', binaryPropertyName: 'data' };

it.each<BinaryMode>(['filesystem', 'default'])(
	'a PDF of 15 MB, kept in "%s" mode, arrives complete',
	async (mode) => {
		const buffer = randomBytes(PDF_LIMIT);
		const file = { buffer, mimeType: 'application/pdf', fileName: 'big.pdf', mode };
		const items = [await withBinary({ json: {} }, file)];
		const { json } = await kit.item(UPLOAD, { items, binaryMode: mode });
		expect(json).toMatchObject({ content_type: 'application/pdf', size: PDF_LIMIT });
		expect(json.public_url).toContain(json.path);
		expect(kit.service.storageRequests).toMatchObject([
			{
				...{ method: 'PUT', status: 200, bytes: PDF_LIMIT },
				sha256: createHash('sha256').update(buffer).digest('hex'),
				headers: { 'content-type': 'application/pdf', 'content-length': String(PDF_LIMIT) },
			},
		]);
	},
);

describe('an upload that was interrupted', () => {
	const item = async (fileName: string) =>
		await withBinary(
			{ json: {} },
			{ buffer: Buffer.from('a file'), mimeType: 'image/png', fileName },
		);

	it('by a stop is carried out by "Retry execution", and what was finished is not', async () => {
		const items = [await item('a.png'), await item('b.png')];
		kit.service.faults.add({ kind: 'hang' }, { host: 'storage', nth: 2 });
		const stopped = await kit.run(UPLOAD, {
			items,
			abortWhen: () => kit.service.storageRequests.length > 1,
		});
		expect(stopped.outputs).toEqual([]);
		kit.service.clearLog();
		const runExecutionData = stopped.fullRun.data;
		const second = await kit.run(UPLOAD, { items, runExecutionData, executionId: '2000' });
		expect([second.error, second.outputs[0]?.length]).toEqual([undefined, 2]);
		expect(kit.service.requests.map(({ json }) => json)).toMatchObject([{ filename: 'b.png' }]);
		expect(kit.service.storageRequests).toHaveLength(1);
	});

	it('by the binary storage of n8n is carried out by the next try', async () => {
		const open = jest
			.spyOn(Container.get(BinaryDataService), 'getAsStream')
			.mockRejectedValueOnce(new Error('The disk is busy'));
		const retrying = { items: [await item('a.png')], retryOnFail: true, maxTries: 2 };
		const run = await kit.run(UPLOAD, retrying);
		expect([run.timesRun, run.error]).toEqual([2, undefined]);
		expect(kit.service.storageRequests).toHaveLength(1);
		open.mockRejectedValue(new Error('The disk is gone'));
		expect((await kit.run(UPLOAD, retrying)).error?.message).toBe('The disk is gone');
		open.mockRestore();
	});
});
