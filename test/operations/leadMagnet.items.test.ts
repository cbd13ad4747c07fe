/** What single items of Create and Update of lead magnets do where something is missing or lost. */
import { create } from '../../nodes/LeadGenPublishing/operations/leadMagnet/create';
import { update } from '../../nodes/LeadGenPublishing/operations/leadMagnet/update';
import type { JsonRecord } from '../../nodes/LeadGenPublishing/api/schemas';
import { failing, failure, ID, itemScene, type Scene } from './itemScene';

const GUIDE = { keyword: 'GUIDE', resource_name: 'The guide' };
const LINK = 'https://example.com/guide';

function creating(more: JsonRecord = {}, scene: Scene = {}) {
	const parameters = {
		...{ deliveryMode: 'external_link', keyword: 'GUIDE', resourceName: 'The guide' },
		...{ resourceLink: LINK, additionalFields: {}, options: {}, ...more },
	};
	return itemScene(parameters, {
		...scene,
		answers: { 'leadMagnet.create': [{ id: 'new', ...GUIDE }], ...scene.answers },
	});
}
const updating = (updateFields: JsonRecord, scene: Scene = {}) =>
	itemScene({ leadMagnetId: ID, updateFields }, scene);

describe('a creation', () => {
	it.each([
		['external_link', ['resource_link']],
		['hosted_content', ['hosted_page']],
		['gated_external', ['hosted_page', 'resource_link']],
	])('sends what %s needs, and nothing that is left over', async (deliveryMode, expected) => {
		const item = creating({ deliveryMode, hostedPage: '{"title": "T"}' });
		await create.run(item.call);
		const sent = Object.keys(item.sent[0]?.body ?? {}).filter((name) => /page|link/.test(name));
		expect(sent.sort()).toEqual(expected);
	});

	it.each([
		['keyword', { keyword: null }],
		['resource_name', { resource_name: null }],
		['keyword', { keyword: 7 }],
	])('that looks for an existing one needs the %s', async (field, customFields) => {
		const item = creating({ options: { ifExists: 'return', customFields } });
		await expect(create.run(item.call)).rejects.toThrow(
			/is empty, but "If Exists" compares it with existing lead magnets/,
		);
		await expect(create.run(item.call)).rejects.toThrow(field);
		expect(item.sent).toEqual([]);
	});

	it('names no ID of an existing one that has none', async () => {
		const item = creating({ options: { ifExists: 'fail' } }, { walk: { records: [GUIDE] } });
		await expect(create.run(item.call)).rejects.toThrow(
			/with this keyword and resource name already exists\. Nothing was created$/,
		);
	});

	it('that may have succeeded is looked for in the list, if an existing one is to be returned', async () => {
		const walk = { records: [{ id: ID, ...GUIDE }] };
		const answers = { 'leadMagnet.get': walk.records };
		const looked = creating({ options: { ifExists: 'return' } }, { walk, answers });
		expect(await create.resume?.(looked.call)).toMatchObject({ id: ID });
		for (const options of [{}, { ifExists: 'create' }]) {
			const item = creating({ options });
			expect(await create.resume?.(item.call)).toBeUndefined();
			expect(item.sent).toEqual([]);
		}
	});
});

describe('an update', () => {
	it('does not lose the placeholder of the link', async () => {
		const stored = { updateFields: { textTemplate: '=Hi {{ $json.name }}: {{resource_link}}' } };
		const item = updating({ textTemplate: 'Hi Ada: ' }, { stored });
		await expect(update.run(item.call)).rejects.toThrow('Text Template');
		expect(item.sent).toEqual([]);
	});

	it('does not lose it in Custom Fields either', async () => {
		const place = (customFields: string) => ({ options: { customFields } });
		const stored = place('={"text_template": "Hi {{ $json.name }}: {{ resource_link }}"}');
		const item = updating({ description: 'New' }, { stored });
		await expect(update.run(item.call)).rejects.toThrow('Custom Fields');
		expect(item.sent).toEqual([]);
		const plain = place('{"text_template": "Hi: {{resource_link}}"}');
		const answers = { 'leadMagnet.update': [{ id: ID }] };
		const sending = updating({ description: 'New' }, { stored: plain, answers });
		await update.run(sending.call);
		expect(sending.sent).toHaveLength(1);
	});

	const lost = (shown: JsonRecord, scene: Scene = {}) =>
		updating(
			{ description: 'New' },
			{
				answers: { 'leadMagnet.update': [failure(502)], 'leadMagnet.get': [shown] },
				...scene,
			},
		);
	const SHOWN = { description: 'New', keyword: 'GUIDE' };

	it('whose answer is lost has succeeded if a read shows it, and says so', async () => {
		const item = lost(SHOWN);
		expect(await update.run(item.call)).toEqual({ id: ID, ...SHOWN });
		expect(item.said).toEqual([
			'The answer to an update of a lead magnet was lost; a read shows all new values',
		]);
	});

	it('of an earlier attempt is settled by that, and not sent again', async () => {
		const item = lost(SHOWN, { earlier: {} });
		const records = await update.resume?.(item.call);
		expect([records, item.asked(), item.timesSettled()]).toEqual([
			...[{ id: ID, ...SHOWN }, ['leadMagnet.get'], 1],
		]);
	});

	it('fails if the read shows something else', async () => {
		const item = lost({ description: 'Old' }, { earlier: {} });
		expect((await failing(Promise.resolve(update.resume?.(item.call)))).facts.status).toBe(502);
		expect(item.timesSettled()).toBe(0);
	});
});
