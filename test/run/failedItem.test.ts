/** What stands on the error output of an item that failed. */
import type { IExecuteFunctions } from 'n8n-workflow';

import { InputError } from '../../nodes/LeadGenPublishing/api/failure';
import { failedItem } from '../../nodes/LeadGenPublishing/run/failedItem';

const NODE = { id: '1', name: 'Node', type: 'x', typeVersion: 1, position: [0, 0], parameters: {} };
const functions = { getNode: () => NODE } as unknown as IExecuteFunctions;

it.each([
	['The limit 1.5 is odd', 'Give a whole one.', 'The limit 1.5 is odd. Give a whole one.'],
	['It is odd.', 'Look.', 'It is odd. Look.'],
	['Is it odd?', 'Look.', 'Is it odd? Look.'],
	['It is odd. [req_1]', 'Look.', 'It is odd. [req_1] Look.'],
	['It is odd (very)', 'Look.', 'It is odd (very) Look.'],
	['It is odd', '', 'It is odd.'],
])('says what happened, and what to do: "%s"', (error, remedy, message) => {
	const item = failedItem(functions, new InputError(error, remedy), 3);
	expect(item).toEqual({
		...{ error, message },
		details: expect.objectContaining({ code: 'invalid_input', next: remedy }) as unknown,
	});
	expect(item.details).not.toHaveProperty('client_id');
});

it('names the client that it was for', () => {
	const { details } = failedItem(functions, new InputError('a', 'b'), 0, 'the-client');
	expect(details).toMatchObject({ client_id: 'the-client', code: 'invalid_input' });
});
