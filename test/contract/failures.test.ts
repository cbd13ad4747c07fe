/** Every code and reason of part 7, as a user sees it: on the error output of the real engine. */
import { codeOfStatus } from '../../nodes/LeadGenPublishing/api/policyTables';
import { REASONS as ANSWERS, reasonOf, type Reason } from '../../fake-service/index';
import { nameIn, parseDocument, rowsUnder } from './document';
import { byId, setUpKit } from '../support/kit/index';

const kit = setUpKit();
const document = parseDocument();

const get = () => ({
	resource: 'post',
	operation: 'get',
	postId: byId(kit.service.world.addPost(kit.service.world.own).id),
	options: { maxWaitSeconds: 0 },
});

/** The document names these codes without a number. */
const NOT_SHOWN: Readonly<Record<string, number>> = {
	method_not_allowed: 405,
	not_implemented: 501,
};
const CODES = rowsUnder(['HTTP', 'Code']).map(([status = '', cell]): [string, number] => {
	const code = nameIn(cell) ?? '';
	return [code, NOT_SHOWN[code] ?? Number(status)];
});

/** The fake service knows one more, which only has a status. */
const REASONS = (Object.keys(ANSWERS) as Reason[]).filter((one) => document.reasons.includes(one));

it.each(CODES)("%s (%i) comes with its own and the service's words", async (code, status) => {
	const retryable = [429, 500, 502].includes(status);
	kit.service.faults.add({ kind: 'error', status, message: 'Words of the service' });
	const failure = await kit.failure(get());
	expect(failure.error).toMatch(/: Words of the service\.$/);
	expect(failure.message).toMatch(/ Request ID: n8n:1000:0:[0-9a-f]{20}\.$/);
	expect(failure.details).toMatchObject({ http_status: status, code, reason: null, retryable });
	expect(failure.details.request_id).toMatch(/^n8n:1000:0:/);
	expect(kit.service.requests).toHaveLength(1);
});

it.each(REASONS)('%s comes with its name and its details', async (reason) => {
	kit.service.faults.reason(reason, {}, { further: 'detail' });
	const failure = await kit.failure(get());
	expect(failure.error).toContain(` (${reasonOf(reason)})`);
	expect(failure.details).toMatchObject({
		http_status: ANSWERS[reason].status,
		code: codeOfStatus(ANSWERS[reason].status),
		reason: reasonOf(reason),
		further: 'detail',
	});
});
