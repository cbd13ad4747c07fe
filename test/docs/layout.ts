/** How much of n8n's canvas a node takes, with its name below it. */
import type { INode } from 'n8n-workflow';

import { isNote } from './example';

interface Box {
	left: number;
	right: number;
	top: number;
	bottom: number;
}

const NODE = 96;
/** A long name is wider than its node, and has two lines. */
const NAME = { beside: 40, below: 56 };

export function boxOf(node: INode): Box {
	const [left, top] = node.position;
	if (isNote(node)) {
		const { width, height } = node.parameters;
		return { left, top, right: left + Number(width), bottom: top + Number(height) };
	}
	return {
		left: left - NAME.beside,
		right: left + NODE + NAME.beside,
		top,
		bottom: top + NODE + NAME.below,
	};
}

export const overlap = (one: Box, other: Box): boolean =>
	one.left < other.right &&
	other.left < one.right &&
	one.top < other.bottom &&
	other.top < one.bottom;
