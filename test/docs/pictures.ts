/**
 * What each picture of the pages shows, as the product has it now. `docs/images/taken.json` holds a
 * digest of it for each picture, written when the picture is taken. A picture whose digest differs
 * shows a product that no longer exists. `npm run docs -- --check-pictures` finds these, at night
 * and before a release, because retaking one needs a real n8n and a browser.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { INodeParameters, INodeProperties } from 'n8n-workflow';

import { reportOf } from '../../nodes/LeadGenPublishing/diagnose/report';
import { itemOf } from '../../nodes/LeadGenPublishing/diagnose/judge/item';
import { explain } from '../../nodes/LeadGenPublishing/words/explain';
import { nodeIn } from '../../scripts/generate/form';
import { EXAMPLE_NAMES, readExample, type ExampleName } from '../../scripts/n8n/examples';
import { membersOf, openIn } from '../contract/forms';
import { EVERY_FINDING } from '../diagnose/everyFinding';
import { failure } from '../operations/itemScene';
import { ROOT } from './example';

const IMAGES = join(ROOT, 'docs', 'images');
const TAKEN = join(IMAGES, 'taken.json');
const STICKY_NOTE = 'n8n-nodes-base.stickyNote';

const fileOf = (...path: string[]): string => readFileSync(join(ROOT, ...path), 'utf8');

/** The parameters that n8n shows under the name of a node. */
const SHOWN_UNDER_NODE = ['resource', 'operation', 'event', 'watch'];

/** Nodes with their places and notes, and the lines between them. */
function canvas(name: ExampleName): unknown {
	const { nodes, connections } = readExample(name);
	return [
		nodes.map(({ name: called, type, position, parameters }) => [
			called,
			type,
			position,
			type === STICKY_NOTE ? parameters : SHOWN_UNDER_NODE.map((key) => parameters[key]),
		]),
		connections,
	];
}

/** A closed dropdown shows the name of the chosen option, not of the others. */
const shown = (field: INodeProperties, values: INodeParameters): unknown => {
	const { displayName, name, type, placeholder, options = [], default: unless } = field;
	const chosen = values[name] ?? unless;
	const isChosen = (option: (typeof options)[number]) =>
		'value' in option && option.value === chosen;
	return [
		displayName,
		type,
		placeholder,
		type === 'options' ? options.find(isChosen)?.name : undefined,
	];
};

/** The open parameters of a node, with those that were added. */
function panel(type: Parameters<typeof nodeIn>[0], name: ExampleName, more: INodeParameters = {}) {
	const { description } = nodeIn(type);
	const node = readExample(name).nodes.find((one) => one.type.endsWith(`.${description.name}`));
	const values = { ...node?.parameters, ...more } as INodeParameters;
	return openIn(description, values).map((field) => {
		const added = (values[field.name] ?? {}) as INodeParameters;
		return [
			shown(field, values),
			membersOf(field)
				.filter(({ name: member }) => typeof added === 'object' && member in added)
				.map((member) => shown(member, added)),
		];
	});
}

/** The names of the fields of a lead, which are the columns of an output. */
const leadFields = (): string[] => {
	const [, sample = '{}'] =
		/<!-- newLead -->\n```json\n([\s\S]*?)```/.exec(fileOf('docs', 'items.md')) ?? [];
	return Object.keys(JSON.parse(sample) as object);
};

/** The findings in the pictures of Diagnose. */
const DIAGNOSED = ['grantInactive', 'fails', 'notesNowhere'];

const diagnosed = () =>
	EVERY_FINDING.filter(({ kind }) => DIAGNOSED.includes(kind)).map((finding) =>
		itemOf('A check', finding),
	);

const visibleText = (page: string): string => page.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');

const tableColumns = (table: string): unknown =>
	readExample('create-crm-tables').nodes.find(({ parameters }) => parameters.tableName === table)
		?.parameters;

const client = { actAs: 'client' };

/** By the path under `docs/images`. */
export const PICTURES: Readonly<Record<string, () => unknown>> = {
	'action-panel.jpg': () => [panel('LeadGenPublishing', 'read-leads', client), leadFields()],
	'calendar-after.jpg': () => tableColumns('Content calendar'),
	'client-list.jpg': () => panel('LeadGenPublishing', 'read-leads', client),
	'comment-to-crm.webp': () => [
		canvas('new-leads-to-crm'),
		visibleText(fileOf('fake-service', 'page', 'index.html')),
		tableColumns('Own leads'),
	],
	'diagnosis.jpg': () => diagnosed(),
	'diagnosis-report.jpg': () => reportOf(diagnosed(), { asked: [] }),
	'error-wrong-key.jpg': () => [
		panel('LeadGenPublishing', 'read-leads'),
		explain(failure(401, { endpoint: 'lead.getAll', code: 'unauthorized' }).facts),
	],
	'trigger-panel.jpg': () => [panel('LeadGenPublishingTrigger', 'new-leads-to-crm'), leadFields()],
	...Object.fromEntries(EXAMPLE_NAMES.map((name) => [`examples/${name}.jpg`, () => canvas(name)])),
};

const digestOf = (picture: string): string =>
	createHash('sha256').update(JSON.stringify(PICTURES[picture]?.())).digest('hex').slice(0, 16);

const readTaken = (): Record<string, string> =>
	existsSync(TAKEN) ? (JSON.parse(readFileSync(TAKEN, 'utf8')) as Record<string, string>) : {};

/** After a picture was taken. One that no page shows is not recorded. */
export function recordPicture(picture: string): void {
	if (!(picture in PICTURES)) return;
	const all = Object.entries({ ...readTaken(), [picture]: digestOf(picture) });
	const kept = all.filter(([name]) => name in PICTURES).sort(([a], [b]) => (a < b ? -1 : 1));
	writeFileSync(TAKEN, `${JSON.stringify(Object.fromEntries(kept), null, '\t')}\n`);
}

const filesOfPictures = (): string[] =>
	(readdirSync(IMAGES, { recursive: true }) as string[])
		.filter((file) => /\.(jpg|webp|png)$/.test(file))
		.map((file) => file.replaceAll('\\', '/'));

interface Album {
	/** The files of `docs/images`. */
	readonly files?: readonly string[];
	/** The digest of each picture when it was taken. */
	readonly taken?: Readonly<Record<string, string>>;
}

/** Which pictures nobody can compare, and which ones show something else than the product does. */
export function pictureProblems({
	files = filesOfPictures(),
	taken = readTaken(),
}: Album = {}): string[] {
	const known = Object.keys(PICTURES);
	return [
		...files
			.filter((file) => !known.includes(file))
			.map((file) => `${file}: PICTURES in test/docs/pictures.ts does not say what it shows`),
		...known
			.filter((picture) => !files.includes(picture))
			.map((picture) => `${picture}: there is no such file`),
		...known
			.filter((picture) => files.includes(picture) && taken[picture] !== digestOf(picture))
			.map((picture) => `${picture}: the product has changed since it was taken`),
	];
}
