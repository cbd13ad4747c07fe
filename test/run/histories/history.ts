/** What has happened in one history, and what the commands need to know of it. */
import type { INodeExecutionData } from 'n8n-workflow';

import type { JsonObject, LoggedRequest } from '../../../fake-service/index';
import type { NodeRun } from '../../support/engine';
import type { Excuse } from './counts';
import type { Blank } from './faults';
import { itemOf, markerOf, type Kind, type Setting, type Target } from './kinds';
import type { Scene } from './scene';

/** How a workflow is set. */
export interface TaskSetup {
	readonly kind: Kind;
	readonly unique: boolean;
	readonly rows: number;
	readonly maxWaitSeconds: number | undefined;
}

/** Why a row was run again from the start. */
export type Again = 'success' | 'failure' | 'kill';

export interface Row extends Target {
	/** What is excused, because no client can prevent it. */
	excuse?: Excuse;
	before?: Again;
	/** Whether the network has taken the change up in this execution or what it retries. */
	taken?: boolean;
	/** The last word on it was that its outcome is not known. */
	isUnknown?: boolean;
	/** Somebody else has changed the post since its outcome was unknown. */
	isEditedSince?: boolean;
	/** The causes of running it again after it was done. */
	readonly again: Again[];
	/** In another account, with the same key. */
	isElsewhere?: 'unknown' | 'once';
}

/** What one execution and its retries have sent. */
export interface Lineage {
	readonly requests: LoggedRequest[];
}

export class Task {
	readonly rows: Row[];
	readonly items: INodeExecutionData[];
	/** The last execution, if n8n offers to retry it. */
	failed: NodeRun | undefined;
	lineage: Lineage = { requests: [] };
	/** How lists were blank last; they are so once more in the end. */
	blank: Blank | undefined;

	constructor(
		readonly setup: TaskSetup,
		{ service, time }: Scene,
		{ name, place }: { name: string; place: number },
	) {
		const { world } = service;
		const { kind } = setup;
		const at = (row: number) =>
			new Date(time.now() + 86_400_000 + (place * 10 + row) * 7_654_321).toISOString();
		this.rows = Array.from({ length: setup.rows }, (_, row) => {
			const mark = `${name}r${row}`;
			const status = kind.needs;
			const scheduled_at = status === 'scheduled' ? at(row) : null;
			const post =
				status === undefined
					? undefined
					: world.addPost(world.own, {
							status,
							text: 'Before',
							scheduled_at,
							...(kind.needsKey ? { notes: markerOf({ mark }) } : {}),
						});
			return {
				mark,
				postId: post?.id ?? world.uuid(),
				foreign: new Set(),
				planted: new Set(),
				again: [],
			};
		});
		const { workspaceId } = world.own;
		this.items = this.rows.map(({ mark, postId }, row) => ({
			json: itemOf(
				{ mark, postId },
				{ workspaceId, dueAt: at(row), file: kind.needsFile === true },
			),
		}));
	}

	parameters({
		changed = false,
		respelled = false,
		returning = false,
		dryRun = false,
	}: Partial<Setting> & { dryRun?: boolean } = {}): JsonObject {
		const { kind, unique, maxWaitSeconds } = this.setup;
		const { options, ...parameters } = kind.parameters({ unique, changed, respelled, returning });
		return {
			...parameters,
			options: {
				...(options as JsonObject | undefined),
				...(maxWaitSeconds === undefined ? {} : { maxWaitSeconds }),
				...(dryRun ? { dryRun } : {}),
			},
		};
	}
}

/** The longest time after which `createOnce` believes that a request will not be carried out any more. */
export const windowOf = ({ maxWaitSeconds = 60 }: TaskSetup): number =>
	Math.min(Math.max(maxWaitSeconds, 10), 60) * 1_000;
