import type { LeadMagnet } from '../../fake-service/index';
import { byId, type Mode, setUpKit } from '../support/kit/index';

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
