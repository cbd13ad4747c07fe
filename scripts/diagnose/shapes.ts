// The shapes of the responses as a file, in which the fake service can respond.

import type { Fields, Shapes } from '../../fake-service/shapes';
import type { EndpointName } from '../../nodes/LeadGenPublishing/api/endpoints';
import type { JsonRecord } from '../../nodes/LeadGenPublishing/api/schemas';
import { pageOf, recordOf, recordsOf } from '../../nodes/LeadGenPublishing/diagnose/answers';
import {
	LARGEST_PAGE,
	type Facts,
	type ListName,
} from '../../nodes/LeadGenPublishing/diagnose/facts';
import { namesIn, shapeOf, type Shape } from '../../nodes/LeadGenPublishing/diagnose/shapes';
import type { Explored } from './explore';
import { orderOf } from './observe';

const LISTS: readonly ListName[] = [
	'client.getAll',
	'post.getAll',
	'leadMagnet.getAll',
	'lead.getAll',
	'activity.getAll',
];
const ONE_BY_ONE: readonly EndpointName[] = ['client.get', 'post.get', 'leadMagnet.get'];
const ORDERS = {
	'newest first': 'newest',
	'oldest first': 'oldest',
	'not sorted': 'uuid',
} as const;

const fieldsOf = ({ fields }: Shape): Fields =>
	Object.fromEntries(
		Object.entries(fields).map(([name, shape]) => {
			const inner = shape.types.includes('object') ? fieldsOf(shape) : {};
			const types = [...shape.types];
			return [name, Object.keys(inner).length === 0 ? { types } : { types, fields: inner }];
		}),
	);

export function savedShapes({ asked }: Facts, explored: readonly Explored[]): Shapes {
	const isName = namesIn(asked.flatMap(({ attempts }) => attempts.map(({ json }) => json)));
	const shapes: Shapes = {
		version: 1,
		fields: {},
		orders: {},
		largestPage: null,
		defaultPage: null,
	};
	const save = (name: EndpointName, records: readonly JsonRecord[]): void => {
		if (records.length > 0) shapes.fields[name] = fieldsOf(shapeOf(records, isName));
	};
	for (const name of LISTS) save(name, asked.filter((one) => one.name === name).flatMap(recordsOf));
	for (const name of ONE_BY_ONE)
		save(
			name,
			asked
				.filter((one) => one.name === name)
				.map(recordOf)
				.filter((record) => record !== undefined),
		);
	for (const { list, first, byDefault } of explored) {
		const order = orderOf(recordsOf(first));
		if (order !== 'unknown') shapes.orders[list] = ORDERS[order];
		shapes.defaultPage ??= pageOf(byDefault)?.pagination.limit ?? null;
	}
	const largest = asked.filter(({ query }) => query?.limit === LARGEST_PAGE);
	shapes.largestPage =
		largest.map((one) => pageOf(one)?.pagination.limit).find((limit) => limit !== undefined) ??
		null;
	return shapes;
}
