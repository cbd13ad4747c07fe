import { setUpKit } from '../support/kit/index';

const kit = setUpKit();
const getAll = { resource: 'lead', operation: 'getAll', simplify: false };

it('asks no has_email when the filter was not added', async () => {
	await kit.records({ ...getAll, limit: 1 });
	expect(kit.service.requests[0]?.query).toEqual({ limit: '1', offset: '0' });
});

it('passes unknown fields through, and flattens when simplified', async () => {
	const { own } = kit.service.world;
	const lead = kit.service.world.addLead(own, {
		emails: { work: null, submitted: 's@example.com', personal: 'p@example.com' },
	});
	const raw = { ...getAll, limit: 1 };
	kit.service.lists.order = 'newest';
	kit.service.faults.add(
		{
			kind: 'change',
			change: (envelope) => {
				const [first] = envelope.data as Array<Record<string, string>>;
				return { ...envelope, data: [{ ...first, brand_new: { deep: 1 }, error: 'x' }] };
			},
		},
		{ count: 2 },
	);
	const [asIs] = await kit.records(raw);
	expect(asIs).toMatchObject({ id: lead.id, brand_new: { deep: 1 }, emails: lead.emails });
	const [flat] = await kit.records({ ...raw, simplify: true });
	expect(flat).toMatchObject({
		id: lead.id,
		email: 's@example.com',
		email_work: null,
		email_submitted: 's@example.com',
		email_personal: 'p@example.com',
		profile_url: lead.network_profile_url,
		brand_new_deep: 1,
	});
	expect(flat).not.toHaveProperty('emails');
	expect(flat).not.toHaveProperty('error');
});
