/** What a run leaves to the next attempt of n8n, and what that attempt makes of it. */
import type { JsonRecord } from '../../nodes/LeadGenPublishing/api/schemas';
import { CLIENT, idOf, LOST, refused, scriptedRun, type Asked, type Script } from './scriptedRun';

const ARCHIVE = { resource: 'leadMagnet', operation: 'archive', actAs: 'own' };
const ids = [idOf(0), idOf(1), idOf(2)];

/** Runs of one execution, which share what n8n stores with it. */
function runsOf(script: Script) {
	const context: JsonRecord = {};
	return {
		context,
		next: async (more: Partial<Script> = {}) => await scriptedRun({ ...script, context, ...more }),
	};
}
const failingAt =
	(index: number, failure: ReturnType<typeof refused>) =>
	({ path }: Asked) =>
		path.endsWith(idOf(index)) ? failure : { data: {} };
const sentFor = (asked: readonly string[]): number[] =>
	asked.map((one) => ids.findIndex((id) => one.endsWith(id)));

const REFUSAL = failingAt(1, refused(403, 'forbidden'));

describe('what is kept', () => {
	it('goes when every item has succeeded', async () => {
		const { next, context } = runsOf({ parameters: ARCHIVE, each: { leadMagnetId: ids } });
		await next();
		expect(context).toEqual({});
	});

	it('stays while an item has failed, also where n8n goes on', async () => {
		for (const continueOnFail of [false, true]) {
			const each = { leadMagnetId: ids };
			const { next, context } = runsOf({ parameters: ARCHIVE, each, continueOnFail });
			await next({ answer: REFUSAL });
			expect(context).not.toEqual({});
		}
	});
});

describe('a refusal that is final', () => {
	it('is given again by the next attempt, which sends nothing', async () => {
		const { next } = runsOf({ parameters: ARCHIVE, each: { leadMagnetId: ids }, answer: REFUSAL });
		const first = await next();
		expect(sentFor(first.asked)).toEqual([0, 1]);
		const second = await next();
		expect(second.asked).toEqual([]);
		expect(second.error?.message).toBe(first.error?.message);
		for (const { error } of [first, second])
			expect(error).toMatchObject({ context: { itemIndex: 1 } });
	});

	it('takes no other item along where n8n goes on', async () => {
		const { next } = runsOf({ parameters: ARCHIVE, each: { leadMagnetId: ids }, answer: REFUSAL });
		await next();
		const { asked, records } = await next({ continueOnFail: true });
		expect(sentFor(asked)).toEqual([2]);
		expect(records.map((record) => record.deleted ?? record.error)).toEqual([
			...[true, expect.stringContaining('may not do this'), true],
		]);
	});

	it('is asked for again by another execution', async () => {
		const { next } = runsOf({ parameters: ARCHIVE, each: { leadMagnetId: ids }, answer: REFUSAL });
		await next();
		expect(sentFor((await next({ execution: '8' })).asked)).toEqual([1]);
	});
});

describe('a write that may have succeeded and cannot be checked', () => {
	const script = {
		parameters: {
			...{ resource: 'media', operation: 'delete', actAs: 'own' },
			options: { customFields: '{"x": 1}', maxWaitSeconds: 0 },
		},
		each: { path: ['a', 'b', 'c'] },
	};
	/** The answers to the first two are lost, and the third is to be sent again. */
	const begun = async () => {
		const runs = runsOf(script);
		let count = 0;
		const answer = () => {
			count += 1;
			return count < 3 ? LOST : refused(429, 'rate_limited');
		};
		await runs.next({ continueOnFail: true, answer });
		return runs;
	};

	it('is the error of the next attempt, after all other items', async () => {
		const { next } = await begun();
		const { error, asked } = await next();
		expect(asked).toEqual(['DELETE /media']);
		expect(error).toMatchObject({
			message: expect.stringContaining('so it was not sent again') as string,
			context: { itemIndex: 0 },
		});
	});

	it('is the error of its items where n8n goes on', async () => {
		const { next } = await begun();
		const { records, asked } = await next({ continueOnFail: true });
		expect(asked).toEqual(['DELETE /media']);
		expect(records.map(({ error }) => error === undefined)).toEqual([false, false, true]);
	});
});

describe('a dry run', () => {
	const dry = { parameters: { ...ARCHIVE, options: { dryRun: true } } };

	it('shows the request as it is, and leaves nothing behind', async () => {
		const { next, context } = runsOf({ parameters: ARCHIVE, each: { leadMagnetId: ids } });
		const { records, asked } = await next({
			parameters: { ...dry.parameters, actAs: 'client', clientId: CLIENT },
		});
		expect(asked).toEqual([]);
		expect(records).toEqual(
			ids.map((id) => ({
				dry_run: true,
				request: {
					...{ method: 'DELETE', path: `/clients/${CLIENT}/lead-magnets/${id}`, body: null },
				},
				notes: [],
			})),
		);
		expect(context).toEqual({});
	});

	it('leaves what earlier attempts have done as it is', async () => {
		const { next, context } = runsOf({ parameters: ARCHIVE, each: { leadMagnetId: ids } });
		await next({ answer: failingAt(1, refused(429, 'rate_limited')), ...maxWait(0) });
		const kept = JSON.stringify(context);
		await next(dry);
		expect(JSON.stringify(context)).toBe(kept);
		expect(sentFor((await next()).asked)).toEqual([1, 2]);
		expect(context).toEqual({});
	});
});

function maxWait(maxWaitSeconds: number): Partial<Script> {
	return { parameters: { ...ARCHIVE, options: { maxWaitSeconds } } };
}
