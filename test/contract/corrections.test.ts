/**
 * What somebody corrects between a failure and "Retry execution": it is sent if the failed request certainly
 * had no effect. Otherwise the run says that the record has other values. Every field of a post and of a
 * lead magnet.
 */
import type { JsonRecord } from '../../nodes/LeadGenPublishing/api/schemas';
import { startService, type FakeService } from '../../fake-service/index';
import { LOST, tries, type Script } from '../run/scriptedRun';
import type { Parameters } from '../support/kit/values';
import { lost, ok, pageOf, refused, type Reply } from '../support/replies';
import { changed, labelled, prepareAll, type Spot } from './everyParameter';

const OPERATIONS = ['post.create', 'post.upsert', 'leadMagnet.create', 'leadMagnet.upsert'];
/** The clock of the run stands in 2030. */
const IN_A_DAY = '2030-01-29T09:00:00Z';
/** An earlier value of a parameter that cannot be left out. */
const EARLIER: Readonly<Record<string, unknown>> = {
	deliveryMode: 'hosted_content',
	documentUrl: 'https://example.com/earlier.pdf',
	hostedPage: { title: 'Earlier', content: '# Earlier' },
	keyword: 'EARLIER',
	resourceLink: 'https://example.com/earlier',
	resourceName: 'An earlier guide',
	scheduledAt: '2030-01-30T09:00:00Z',
	status: 'draft',
	text: 'An earlier text',
};
/** They say which record it is, so another value is another record. */
const IDENTIFIES = ['leadMagnet.create keyword', 'leadMagnet.create resourceName'];

let service: FakeService;
beforeAll(async () => {
	service = await startService();
});
afterAll(async () => {
	await service.close();
});

async function correctedFor(name: string): Promise<Parameters> {
	const { parameters } = await prepareAll(service, name);
	const { actAs: _actAs, clientId: _clientId, ...own } = parameters;
	return {
		...own,
		...(name.startsWith('post.')
			? {
					scheduledAt: IN_A_DAY,
					additionalFields: {
						...(own.additionalFields as JsonRecord),
						attachments: undefined,
					},
				}
			: {}),
		options: {
			...(own.options as JsonRecord),
			customFields: { flag: 'corrected' },
			...(name === 'leadMagnet.create' ? { ifExists: 'return' } : {}),
		},
	};
}

/** Of a list or a record, for a service that shows only these fields. */
const SUMMARY = ['id', 'text', 'status', 'scheduled_at', 'notes', 'keyword', 'resource_name'];

let accounts = 0;

/** A service whose first write ends with this reply. */
function scriptFor(
	parameters: Parameters,
	{ first, isDone, isSummary }: { first: Reply | Error; isDone: boolean; isSummary: boolean },
): { script: Script; show: () => void } {
	accounts += 1;
	const records: JsonRecord[] = [];
	let body: JsonRecord = {};
	let writes = 0;
	// What was carried out appears only after the first execution.
	let isVisible = false;
	const shown = (record: JsonRecord) =>
		isSummary
			? Object.fromEntries(Object.entries(record).filter(([field]) => SUMMARY.includes(field)))
			: record;
	const script: Script = {
		parameters,
		apiKey: `NOT_A_REAL_KEY_${accounts}`,
		onRequest: (http) => {
			body = JSON.parse(String(http.body ?? '{}')) as JsonRecord;
		},
		answer: ({ method, path }) => {
			const [, , id] = path.split('/');
			const known = records.find((record) => record.id === id);
			if (method === 'GET') {
				if (id === undefined) return pageOf(isVisible ? records.map(shown) : []);
				return known === undefined ? refused(404, 'not_found') : ok(shown(known));
			}
			writes += 1;
			const record: JsonRecord = { id: `r${records.length}`, ...known, ...body };
			if (known !== undefined) Object.assign(known, body);
			else if (writes > 1 || isDone) records.push(record);
			return writes === 1 ? first : ok(shown(record));
		},
	};
	return {
		script,
		show: () => {
			isVisible = true;
		},
	};
}

const OK = { first: ok({ id: 'r0' }), isDone: true, isSummary: false };

/** What is sent for these parameters, if there was no attempt before. */
async function sentFor(parameters: Parameters): Promise<JsonRecord | undefined> {
	const { next } = tries(scriptFor(parameters, OK).script);
	return (await next()).writes[0]?.body;
}

/** Without the digests of what was sent. */
const plain = (body: JsonRecord | undefined): JsonRecord =>
	JSON.parse(JSON.stringify(body ?? {}).replace(/ sent=[^\]]*/g, '')) as JsonRecord;

/** The fields that the correction changes, with their new values. Undefined if it changes none. */
function correctionIn(earlier: JsonRecord, corrected: JsonRecord): JsonRecord | undefined {
	const [before, after] = [plain(earlier), plain(corrected)];
	const differs = (field: string) => JSON.stringify(before[field]) !== JSON.stringify(after[field]);
	const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(differs);
	return fields.length === 0
		? undefined
		: Object.fromEntries(fields.map((field) => [field, after[field]]));
}

/** An update removes with an empty value what a creation leaves out. */
const sentIn = (value: unknown): unknown =>
	value === null || (Array.isArray(value) && value.length === 0) ? undefined : value;

interface Correction {
	readonly earlier: Parameters;
	readonly corrected: Parameters;
	readonly fields: JsonRecord;
}

async function correctionOf(spot: Spot): Promise<Correction | undefined> {
	const { [spot.field.name]: before } = EARLIER;
	const corrected = changed(
		await correctedFor(spot.operation),
		spot,
		valueIn(await correctedFor(spot.operation), spot),
	);
	const earlier = changed(corrected, spot, spot.group === 'updateFields' ? undefined : before);
	const [wasSent, isSent] = [await sentFor(earlier), await sentFor(corrected)];
	if (wasSent === undefined || isSent === undefined) return undefined;
	const fields = correctionIn(wasSent, isSent);
	return fields && { earlier, corrected, fields };
}

const valueIn = (parameters: Parameters, { group, field }: Spot): unknown =>
	((group === undefined ? parameters : (parameters[group] as JsonRecord | undefined)) ?? {})[
		field.name
	];

const ENDS: ReadonlyArray<readonly [name: string, first: Reply | Error, isDone: boolean]> = [
	['was rejected', refused(400, 'bad_request'), false],
	['was never sent', lost('ECONNREFUSED'), false],
	['was lost, without an effect', LOST, false],
	['was lost, with an effect', LOST, true],
];

const spots = labelled.filter(
	([label, { operation, group, field }]) =>
		OPERATIONS.includes(operation) &&
		field.type !== 'collection' &&
		!IDENTIFIES.includes(label) &&
		!['actAs', 'clientId', 'uniqueKey', 'attachments'].includes(field.name) &&
		!(
			operation === 'leadMagnet.upsert' &&
			group === undefined &&
			/^(?:keyword|resourceName)$/.test(field.name)
		),
);

const tested = new Set<string>();

describe.each([true, false])('where records are shown as a summary: %p', (isSummary) => {
	it.each(spots)('%s', async (label, spot) => {
		const correction = await correctionOf(spot);
		if (correction === undefined) return;
		tested.add(label);
		const { earlier, corrected, fields } = correction;
		for (const [end, first, isDone] of ENDS) {
			const { script, show } = scriptFor(earlier, { first, isDone, isSummary });
			const { next } = tries(script);
			expect((await next()).error).toBeDefined();
			show();
			const { writes, error, hints } = await next({
				...{ parameters: corrected, execution: '8', after: 600 },
			});
			const last = plain(writes.at(-1)?.body);
			const isUsed = Object.entries(fields).every(
				([field, value]) => JSON.stringify(sentIn(last[field])) === JSON.stringify(sentIn(value)),
			);
			const isTold = [error?.message ?? '', ...hints].some((said) =>
				/parameters have changed since|differs? from the item/.test(said),
			);
			expect([end, isUsed || (isDone && isTold), { last, said: error?.message, hints }]).toEqual([
				end,
				true,
				expect.anything(),
			]);
		}
	});
});

/** They say how the node behaves, or how a slot is found: its time is none of the item's fields. */
const NOT_FIELDS = new Set([
	...['simplify', 'dryRun', 'maxWaitSeconds', 'dueTimeField', 'ifExists', 'onStaleVersion'],
	...['ifSimilarExists', 'similarDays', 'onTeamBoostConflict'],
	...['planBy', 'slots', 'workingDays', 'fromTime', 'toTime', 'minimumGapMinutes'],
]);

it('plays a correction of each field that is sent', () => {
	const left = spots.filter(([label]) => !tested.has(label)).map(([, { field }]) => field.name);
	expect([...new Set(left)].filter((name) => !NOT_FIELDS.has(name))).toEqual([]);
});
