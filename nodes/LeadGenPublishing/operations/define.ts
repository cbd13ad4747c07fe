/**
 * Completes an operation that is declared in its own file. Operations contain no URLs. They name
 * endpoints of the table and say what to send.
 */
import type { INodeProperties } from 'n8n-workflow';

import { isWrite } from '../api/endpoints';
import { customFieldsOption } from '../panel/fields/customFields';
import { modelMayPublishOption } from '../panel/fields/modelMayPublish';
import { maxWaitOption, optionsField } from '../panel/fields/shared';
import { dryRunOption } from '../panel/fields/uniqueKey';
import { labelOf } from '../panel/parameters/labels';
import type { Operation } from './operation';
import { outputFields } from '../panel/output/shape';

type Derived = 'value' | 'name' | 'kind';

interface Definition extends Omit<Operation, Derived>, Partial<Pick<Operation, Derived>> {
	/** Where "Custom Fields" are merged in, if the operation takes any. */
	readonly customFields?: 'body' | 'query';
	/** Options in addition to those of every operation of its kind. */
	readonly options?: readonly INodeProperties[];
}

/**
 * Adds what follows from the endpoint, and the parameters that every operation of its kind has, so
 * that none can forget them. Endpoint names have the form `resource.operation`.
 */
export function defineOperation({ customFields, options = [], ...defined }: Definition): Operation {
	const { endpoints, simplification, fields } = defined;
	const [first] = endpoints;
	const {
		value = first?.slice(first.indexOf('.') + 1) ?? '',
		name = labelOf(value),
		kind = first === undefined ? 'local' : isWrite(first) ? 'write' : 'read',
	} = defined;
	const common = [
		...(customFields === undefined ? [] : [customFieldsOption(customFields)]),
		...(kind === 'write' ? [dryRunOption] : []),
		...(first === undefined ? [] : [maxWaitOption]),
		...(kind === 'write' ? [modelMayPublishOption] : []),
	];
	return {
		...defined,
		value,
		name,
		kind,
		fields: [
			...fields,
			...(simplification === undefined ? [] : outputFields(simplification.what)),
			optionsField([...common, ...options]),
		],
	};
}
