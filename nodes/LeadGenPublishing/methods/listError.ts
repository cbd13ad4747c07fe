import type { INode } from 'n8n-workflow';

import { detailsOf, toNodeError } from '../api/errors';

/** In place of a list, n8n shows only the message, so the message includes what to do. */
export function listError(node: INode, error: unknown): Error {
	const nodeError = toNodeError(node, error);
	const { next } = detailsOf(error);
	if (typeof next === 'string') nodeError.message = `${nodeError.message} ${next}`;
	return nodeError;
}
