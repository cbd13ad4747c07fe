/** A file is deleted by one request; another shape is tried only if that one has done nothing. */
import { deleteFile } from '../../nodes/LeadGenPublishing/api/deleteFile';
import { failure } from '../operations/itemScene';
import type { SomeFacts } from '../support/facts';

const FIELDS = { path: 'a/b.png' };
const SHAPE: SomeFacts = { status: 400, code: 'bad_request' };

/** What was sent, and the failure it ended with, for what comes in turn. */
async function deleted(...answers: ReadonlyArray<SomeFacts | undefined>) {
	const left = answers.map(
		(facts) => facts && failure(facts.status ?? 400, { endpoint: 'media.delete', ...facts }),
	);
	const failures = [...left];
	const sent: string[] = [];
	const [outcome] = await Promise.allSettled([
		deleteFile(FIELDS, async (request) => {
			sent.push(...Object.keys(request));
			expect(Object.values(request)).toEqual([FIELDS]);
			const error = left.shift();
			if (error !== undefined) throw error;
			return await Promise.resolve({});
		}),
	]);
	const thrown: unknown = outcome.status === 'rejected' ? outcome.reason : undefined;
	return { sent, failedWith: failures.findIndex((error) => error === thrown && thrown) };
}
const NONE = -1;

it.each<[what: string, answers: Array<SomeFacts | undefined>, sent: string[], number]>([
	['the first request deletes it', [undefined], ['body'], NONE],
	['the second one does', [SHAPE, undefined], ['body', 'query'], NONE],
	['both are rejected for their shape', [SHAPE, SHAPE], ['body', 'query'], 0],
	['the second one fails otherwise', [SHAPE, { status: 404 }], ['body', 'query'], 1],
	['the file is not there', [{ status: 404, code: 'not_found' }], ['body'], 0],
	['another field is wrong', [{ ...SHAPE, reason: 'invalid_path' }], ['body'], 0],
	['another rejection with the same status', [{ ...SHAPE, code: 'conflict' }], ['body'], 0],
	['another status with the same code', [{ ...SHAPE, status: 422 }], ['body'], 0],
	['an earlier attempt may have deleted it', [{ ...SHAPE, uncertain: true }], ['body'], 0],
	['a proxy rejects it', [{ ...SHAPE, problem: 'noEnvelope' }], ['body'], 0],
	['it is redirected', [{ ...SHAPE, kind: 'redirected' }], ['body'], 0],
])('%s', async (_, answers, sent, failedWith) => {
	expect(await deleted(...answers)).toEqual({ sent, failedWith });
});
