/** The option that names the field with the due time of an action toward the network. */
import type { INodeProperties } from 'n8n-workflow';

import type { Values } from '../parameters/values';
import { textParameter } from './parameter';

/** `where`: what the field belongs to, such as "each follow-up". */
export const dueTimeFieldOption = (where: string): INodeProperties =>
	textParameter('dueTimeField', {
		placeholder: 'e.g. scheduled_at',
		description: `Name of the field with the due time in ${where}. With it, the node can reject a run in which several actions are due at the same time or at equal intervals.`,
	});

export const readDueTimeField = (input: Values): string | undefined =>
	input.collection('options').optionalText('dueTimeField')?.trim();
