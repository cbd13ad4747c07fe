/**
 * Every sentence that people read in the product, as it is shown: panels, credential, announcements
 * of the trigger and examples. Errors and hints are collected where the tests produce them.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { LeadGenPublishingApi } from '../../credentials/LeadGenPublishingApi.credentials';
import {
	announce,
	ANNOUNCEMENT_KINDS,
} from '../../nodes/LeadGenPublishing/feed/reports/listFailure';
import { nodeIn } from '../../scripts/generate/form';
import { readExamples } from '../docs/example';

interface Sentence {
	readonly place: string;
	readonly text: string;
}

/** All texts inside of a value, line by line, with the keys that lead to them. */
const textsIn = (value: unknown, place: string): Sentence[] => {
	if (typeof value === 'string') {
		const lines = value.split('\n').filter((line) => line.includes(' '));
		return lines.map((text) => ({ place, text: text.trim() }));
	}
	if (Array.isArray(value)) return value.flatMap((one) => textsIn(one, place));
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([key, one]) => textsIn(one, `${place}.${key}`));
};

const NODES = join(__dirname, '..', '..', 'nodes', 'LeadGenPublishing');
const codexFiles = (): Sentence[] =>
	readdirSync(NODES)
		.filter((file) => file.endsWith('.node.json'))
		.flatMap((file) => textsIn(JSON.parse(readFileSync(join(NODES, file), 'utf8')), file));

const announcements = (): Sentence[] =>
	ANNOUNCEMENT_KINDS.flatMap((kind) =>
		[1, 5].map((count) => ({ place: kind, text: announce(kind, { count }).message })),
	);

/** The code of a workflow is included like its notes. */
const examples = (): Sentence[] =>
	readExamples().flatMap(({ file, name, nodes }) =>
		textsIn([name, nodes.map((node) => [node.name, node.parameters])], `examples/${file}`),
	);

export const everySentence = (): Sentence[] => [
	...textsIn(nodeIn('LeadGenPublishing').description, 'action'),
	...textsIn(nodeIn('LeadGenPublishingTrigger').description, 'trigger'),
	...textsIn(new LeadGenPublishingApi(), 'credential'),
	...codexFiles(),
	...announcements(),
	...examples(),
];
