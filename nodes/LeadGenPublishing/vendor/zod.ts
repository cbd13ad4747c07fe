/**
 * The parts of zod that the package uses. The build bundles them into this file, so the package
 * does not depend on zod.
 */
export {
	array,
	boolean,
	catch,
	config,
	custom,
	enum,
	int,
	literal,
	looseObject,
	nonnegative,
	nullable,
	number,
	object,
	optional,
	record,
	string,
	tuple,
	type infer,
	type ZodMiniType,
} from 'zod/v4-mini';
