/** Which operation runs is decided by a person, not by an AI model. */
import type { IExecuteFunctions } from 'n8n-workflow';

import { InputError } from '../api/failure';
import { modelSourceOf } from '../parameters/modelSource';

/** The editor allows no expressions for resource and operation, but workflow JSON may have them. */
export function requireFixedOperation(functions: IExecuteFunctions): void {
	for (const [name, label] of [
		['resource', 'Resource'],
		['operation', 'Operation'],
	] as const) {
		const source = modelSourceOf(functions, [name]);
		if (source === undefined) continue;
		throw new InputError(
			`The parameter "${label}" ${source}, but what the node does is chosen by a person. Nothing was sent`,
			`Choose "${label}" in the node itself, as a fixed value. For several operations, give the agent several tools.`,
			{ parameter: name },
		);
	}
}
