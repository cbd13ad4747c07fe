import type { INode } from 'n8n-workflow';

import { detailsOf, toNodeError } from '../api/errors';

/** Where a list should open, n8n shows the message alone: so it says what to do as well. */
export function listError(node: INode, error: unknown): Error {
	const nodeError = toNodeError(node, error);
	const { next } = detailsOf(error);
	if (typeof next === 'string') nodeError.message = `${nodeError.message} ${next}`;
	return nodeError;
}
