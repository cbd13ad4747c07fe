/** What n8n is told of the two node types beside their parameters: where they stand, what they need. */
import {
	NodeHelpers,
	type INodeCredentialDescription,
	type INodeTypeDescription,
} from 'n8n-workflow';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { LeadGenPublishing } from '../../nodes/LeadGenPublishing/LeadGenPublishing.node';
import { LeadGenPublishingTrigger } from '../../nodes/LeadGenPublishing/LeadGenPublishingTrigger.node';
import { RESOURCES } from '../../nodes/LeadGenPublishing/operations/index';

const action = new LeadGenPublishing();
const trigger = new LeadGenPublishingTrigger();

describe.each([
	['action', action.description],
	['trigger', trigger.description],
])('the %s', (_, { icon }) => {
	it('has a picture for light and one for dark editors', () => {
		if (typeof icon !== 'object') throw new Error('one for both');
		const files = [icon.light, icon.dark].map((one) => one.replace(/^file:/, ''));
		expect(new Set(files).size).toBe(2);
		expect(icon.dark).toMatch(/^file:.*\.dark\.svg$/);
		for (const file of files)
			expect({
				file,
				exists: existsSync(join(__dirname, '../../nodes/LeadGenPublishing', file)),
			}).toEqual({ file, exists: true });
	});
});

it('the action takes items and gives items, also as a tool', () => {
	const { group, inputs, outputs, usableAsTool, polling } = action.description;
	expect({ group, inputs, outputs, usableAsTool, polling }).toEqual({
		...{ group: ['transform'], inputs: ['main'], outputs: ['main'], usableAsTool: true },
		polling: undefined,
	});
});

it('the trigger begins a workflow, and n8n polls it', () => {
	const { group, inputs, outputs, polling } = trigger.description;
	expect({ group, inputs, outputs, polling }).toEqual({
		...{ group: ['trigger'], inputs: [], outputs: ['main'], polling: true },
	});
});

it('the trigger says of a test event that a poll may deliver more', () => {
	const { hints = [], properties } = trigger.description;
	const [{ message } = { message: '' }] = hints;
	expect(hints).toMatchObject([{ location: 'outputPane', whenToDisplay: 'afterExecution' }]);
	expect(message).toContain('up to 10 of the newest records, of one account');
	const options = properties.flatMap((one) => one.options ?? []);
	expect(options.map((one) => 'displayName' in one && one.displayName)).toContain(
		/"(Max [^"]+)"/.exec(message)?.[1],
	);
});

interface Asked {
	readonly credential: INodeCredentialDescription;
	readonly description: INodeTypeDescription;
}

describe('a credential', () => {
	const [ofAction, ofTrigger] = [action, trigger].map(({ description }) => {
		const [credential] = description.credentials ?? [];
		if (credential === undefined) throw new Error('no credential');
		return { credential, description };
	}) as [Asked, Asked];

	it('has to be chosen', () => {
		expect([ofAction, ofTrigger].map(({ credential }) => credential.required)).toEqual([
			true,
			true,
		]);
	});

	it.each(RESOURCES.map(({ value }) => value))('is asked for, unless nothing is sent: %s', (of) => {
		const { credential, description } = ofAction;
		const sends = RESOURCES.some(
			({ value, operations }) =>
				value === of && operations.some(({ endpoints }) => endpoints.length > 0),
		);
		const isShown = NodeHelpers.displayParameter(
			{ resource: of },
			credential,
			{ typeVersion: 1 },
			description,
		);
		expect(isShown).toBe(sends);
	});
});
