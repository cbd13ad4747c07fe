/** What other people do meanwhile, and other accounts. */
import { newVersion } from '../../../fake-service/index';
import { NO_FAULTS } from './faults';
import type { Findings } from './findings';
import type { Task } from './history';
import { markerOf } from './kinds';
import { isPlainPost } from './rows';
import { ONE_TRY, type Scene } from './scene';

/** Where somebody has written the key of a row, or what of it they have copied. */
export const PLANTS = ['by the node', 'within a line', 'the text, without notes'] as const;
export type Plant = (typeof PLANTS)[number];

/** Where somebody writes something into the notes of posts that carry a key. */
export const NOTES = ['above', 'before, on the same line', 'below'] as const;
export type NotePlace = (typeof NOTES)[number];

const WRITTEN = {
	above: ['Seen by Ada\n', ''],
	'before, on the same line': ['Seen by Ada. ', ''],
	below: ['', '\nSeen by Ada'],
} as const;

/** Somebody else's post gets the key of a row into its notes, or has the same text. */
export async function plantPosts(scene: Scene, task: Task, where: Plant): Promise<void> {
	const { world } = scene.service;
	if (!isPlainPost(task)) return;
	for (const row of task.rows) {
		const marker = markerOf(row);
		const text = `${row.mark} text`;
		if (where !== 'by the node') {
			const notes = where === 'within a line' ? `See ${marker} there` : null;
			const { id } = world.addPost(world.own, { text, notes });
			(where === 'within a line' ? row.planted : row.foreign).add(id);
			continue;
		}
		scene.play();
		const parameters = {
			...{ resource: 'post', operation: 'create', text: 'Foreign' },
			additionalFields: { notes: `A comment:\n${marker}` },
		};
		await scene.run({ parameters, items: [{ json: {} }], ...ONE_TRY });
	}
}

export function writeIntoNotes({ service: { world } }: Scene, task: Task, where: NotePlace): void {
	for (const { mark } of task.rows)
		for (const { id, notes, text } of world.own.posts.toArray()) {
			if (!text.startsWith(`${mark} `) || typeof notes !== 'string') continue;
			const [before, after] = WRITTEN[where];
			world.patchPost(world.own, id, { notes: `${before}${notes}${after}` });
		}
}

/** Somebody changes the post at the network, so that what was reviewed is not the latest. */
export function editPosts({ service: { world } }: Scene, task: Task): void {
	for (const row of task.rows) {
		const post = world.own.posts.get(row.postId);
		if (post?.status !== 'published') continue;
		newVersion(world, post, 'By somebody else');
		row.isEditedSince = row.isUnknown;
	}
}

/** The same rows with the same keys, for the account of the agency, in the same process. */
export async function runElsewhere(
	{ scene, findings, losesKeys }: { scene: Scene; findings: Findings; losesKeys: boolean },
	task: Task,
	answer: 'shown' | 'lost before' | 'lost after',
): Promise<void> {
	const { world } = scene.service;
	const { setup, items, rows } = task;
	if (!isPlainPost(task) || !setup.unique || losesKeys) return;
	const isShown = answer === 'shown';
	scene.play(
		isShown
			? NO_FAULTS
			: { ...NO_FAULTS, writes: [{ kind: 'reset', after: answer === 'lost after' }] },
	);
	const from = scene.service.requests.length;
	const parameters = task.parameters();
	const run = await scene.run({ parameters, items, ...ONE_TRY, apiKey: world.keys.agency });
	findings.countWork(scene.service.requests.slice(from));
	for (const row of rows) {
		const times = world.agency.posts
			.toArray()
			.filter(({ text }) => text.startsWith(`${row.mark} `)).length;
		const mustBeThere = isShown && row.isElsewhere !== 'unknown';
		if (times > 1 || (mustBeThere && (times === 0 || run.error !== undefined)))
			findings.add(
				task,
				'with the same key in another account: not created there, or twice',
				`${times} times: ${run.error?.message ?? 'without an error'}`,
			);
		if (!isShown) row.isElsewhere = 'unknown';
	}
}
