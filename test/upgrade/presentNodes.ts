/** One node for each way in which an operation, or an event of the trigger, is used. */
import type { INode, INodeTypeDescription } from 'n8n-workflow';

import { isAgency } from '../../nodes/LeadGenPublishing/operations/index';
import { RESOURCES } from '../../nodes/LeadGenPublishing/operations/index';
import { asStored, formOf, namesIn, placed, type Values } from './formValues';
import type { FrozenAccount, FrozenWorld, Given } from './frozen';
import { derived } from './samples/derived';
import { EVENTS } from './samples/events';
import { OPERATIONS } from './samples/operations';
import type { Package } from './replay';
import { byId, type Sample } from './samples/sample';

const PACKAGE = 'n8n-nodes-leadgen-publishing';

export interface PresentNode extends Required<
	Pick<INode, 'name' | 'type' | 'typeVersion' | 'parameters'>
> {
	/** Of the workflow that it stands in. */
	file: string;
	credentials?: INode['credentials'];
	given: Given;
}

export const presentNodes = (
	world: FrozenWorld,
	{ action: { description: action }, trigger: { description: trigger } }: Package,
): PresentNode[] => [
	...RESOURCES.flatMap(({ value: resource, operations }) =>
		operations.flatMap((operation) => {
			const fixed = { resource, operation: operation.value };
			const file = `${resource}.${operation.value}`;
			const form = formOf(action, fixed);
			const samples = OPERATIONS[file] ?? derived(file, namesIn(form));
			requireAll(form, { file, samples, world, chosen: ['actAs', 'clientId'] });
			const [first] = samples;
			const forClient: Sample[] =
				first && isAgency(operation) ? [{ ...first, name: 'For a Client', whose: 'client' }] : [];
			return [...samples, ...forClient].map((sample) =>
				nodeOf(sample, { file, description: action, fixed, world }),
			);
		}),
	),
	...Object.entries(EVENTS).flatMap(([event, samples]) => {
		const fixed = { event };
		const file = `trigger.${event}`;
		requireAll(formOf(trigger, fixed), { file, samples, world, chosen: [] });
		return samples.map((sample) => nodeOf(sample, { file, description: trigger, fixed, world }));
	}),
];

interface Subject {
	file: string;
	description: INodeTypeDescription;
	fixed: Values;
	world: FrozenWorld;
}

function nodeOf(sample: Sample, { file, description, fixed, world }: Subject): PresentNode {
	const { name, whose = 'own', also, input, later } = sample;
	const form = formOf(description, fixed);
	const account = world[whose];
	const asClient = whose === 'client' && form.some((one) => one.name === 'actAs');
	const values = {
		...fixed,
		...(asClient && { actAs: 'client', clientId: byId(account.id) }),
		...sample.values?.(account, world),
	};
	const typeVersion = [description.version].flat().at(-1) ?? 1;
	const at = (make: Sample['also']) => make && { [whose]: make(account) };
	return {
		file,
		name,
		type: `${PACKAGE}.${description.name}`,
		typeVersion,
		parameters: asStored(placed(form, values), { description, typeVersion }),
		// Schedule has none.
		...(fixed.resource !== 'schedule' && {
			credentials: {
				leadGenPublishingApi: { id: 'frozen', name: 'Lead Gen & Publishing account' },
			},
		}),
		given: {
			key: whose === 'client' ? 'agency' : 'own',
			...(also && { also: at(also) }),
			...(input && { input }),
			...(later && { later: at(later) }),
		},
	};
}

/** Everything that can be set is set somewhere. */
function requireAll(
	form: Parameters<typeof namesIn>[0],
	{
		file,
		samples,
		world,
		chosen,
	}: { file: string; samples: readonly Sample[]; world: FrozenWorld; chosen: readonly string[] },
): void {
	const set = samples.flatMap(({ whose = 'own', values }) =>
		Object.keys(values?.(world[whose] satisfies FrozenAccount, world) ?? {}),
	);
	const missing = namesIn(form).filter(
		(name) => ![...set, ...chosen, 'resource', 'operation', 'event'].includes(name),
	);
	if (missing.length > 0) throw new Error(`${file}: no sample sets ${missing.join(', ')}`);
}
