import type { LeadMagnet } from '../../fake-service/index';
import { byId, type Mode, MODES, setUpKit } from '../support/kit/index';

const kit = setUpKit();
let magnet: LeadMagnet;
const at = (operation: string, parameters: Record<string, unknown> = {}) => ({
	resource: 'leadMagnet',
	operation,
	leadMagnetId: byId(magnet.id),
	...parameters,
});
const own = (mode: Mode) => {
	magnet = kit.service.world.addLeadMagnet(kit.account(mode), { keyword: 'GUIDE' });
};

describe.each(MODES)('as %s', (mode) => {
	beforeEach(() => own(mode));

	it('gets one', async () => {
		const { json } = await kit.item(kit.as(mode, at('get')));
		expect(json).toMatchObject({ id: magnet.id, keyword: 'GUIDE' });
		expect(kit.service.requests[0]).toMatchObject({
			method: 'GET',
			path: kit.path(mode, `/lead-magnets/${magnet.id}`),
		});
	});

	it('gets many', async () => {
		const run = await kit.run(
			kit.as(mode, {
				resource: 'leadMagnet',
				operation: 'getAll',
				returnAll: true,
			}),
		);
		expect(run.outputs[0]?.map(({ json }) => json.id)).toContain(magnet.id);
		expect(run.outputs[0]?.every(({ pairedItem }) => pairedItem !== undefined)).toBe(true);
		expect(kit.service.requests[0]?.path).toBe(kit.path(mode, '/lead-magnets'));
	});

	it.each([
		[true, {}],
		[false, { hosted_page: { title: 'Guide', content: '# Guide' } }],
	])('gets many with simplify=%s', async (simplify, page) => {
		const hosted = { delivery_mode: 'hosted_content', resource_link: null };
		const { id } = kit.service.world.addLeadMagnet(kit.account(mode), {
			...hosted,
			hosted_page: { title: 'Guide', content: '# Guide' },
		});
		const run = await kit.run(
			kit.as(mode, {
				resource: 'leadMagnet',
				operation: 'getAll',
				returnAll: true,
				simplify,
			}),
		);
		const found = run.outputs[0]?.find(({ json }) => json.id === id)?.json ?? {};
		expect(found).toMatchObject({ id, ...hosted, ...page });
		expect('hosted_page' in found).toBe(!simplify);
	});

	it('gets its analytics as they are', async () => {
		const { json } = await kit.item(kit.as(mode, at('getAnalytics')));
		expect(json).toMatchObject({ lead_magnet_id: magnet.id, triggers: expect.any(Number) });
		expect(kit.service.requests[0]?.path).toBe(
			kit.path(mode, `/lead-magnets/${magnet.id}/analytics`),
		);
	});

	it('updates only what is given', async () => {
		const { json } = await kit.item(
			kit.as(
				mode,
				at('update', { updateFields: { keyword: 'NEW', description: '', linkedPosts: '' } }),
			),
		);
		expect(json).toMatchObject({ id: magnet.id, keyword: 'NEW', description: null });
		expect(kit.service.requests).toHaveLength(1);
		const [request] = kit.service.requests;
		expect(request).toMatchObject({
			method: 'PATCH',
			path: kit.path(mode, `/lead-magnets/${magnet.id}`),
		});
		expect(request?.json).toEqual({ keyword: 'NEW', description: null, linked_posts: [] });
	});

	it('archives one, which is then not found', async () => {
		const { json } = await kit.item(kit.as(mode, at('archive')));
		expect(json).toEqual({ deleted: true, id: magnet.id, ...kit.clientField(mode) });
		expect(kit.service.requests[0]).toMatchObject({
			method: 'DELETE',
			path: kit.path(mode, `/lead-magnets/${magnet.id}`),
			body: '',
		});
		const { error, details } = await kit.failure(kit.as(mode, at('get')));
		expect(error).toMatch(/found nothing there/);
		expect(details).toMatchObject({ http_status: 404, code: 'not_found' });
	});

	it.each(['get', 'getAnalytics', 'archive', 'update'])(
		'%s: puts what the service refuses on the error output',
		async (operation) => {
			kit.service.faults.status(403);
			const { details } = await kit.failure(
				kit.as(mode, at(operation, { updateFields: { keyword: 'X' } })),
			);
			expect(details).toMatchObject({ http_status: 403, code: 'forbidden', retryable: false });
			expect(kit.service.requests).toHaveLength(1);
		},
	);
});

describe('update', () => {
	beforeEach(() => own('own'));

	it.each<[string, Record<string, unknown>, RegExp]>([
		['nothing', {}, /"Update Fields" is empty/],
		['a CTA label alone', { cta: { values: { ctaLabel: 'Go' } } }, /CTA URL" is missing/],
		[
			'a CTA half emptied',
			{ cta: { values: { ctaLabel: 'Go', ctaUrl: '' } } },
			/CTA URL" is missing/,
		],
		[
			'an empty page',
			{ hostedPage: '{"title": "", "content": ""}' },
			/Hosted Page" has no content/,
		],
		['an emptied delivery mode', { deliveryMode: '' }, /Delivery Mode" is empty/],
	])('refuses %s before anything is sent', async (_, updateFields, expected) => {
		const { error } = await kit.failure(at('update', { updateFields }));
		expect(error).toMatch(expected);
		expect(kit.service.requests).toHaveLength(0);
	});

	it('removes the call to action as a whole', async () => {
		await kit.item(
			at('update', { updateFields: { cta: { values: { ctaLabel: '', ctaUrl: '' } } } }),
		);
		expect(kit.service.requests[0]?.json).toEqual({ cta_label: null, cta_url: null });
	});

	it('sends custom fields alone', async () => {
		await kit.item(at('update', { options: { customFields: '{"keyword": "C"}' } }));
		expect(kit.service.requests[0]?.json).toEqual({ keyword: 'C' });
	});
});
