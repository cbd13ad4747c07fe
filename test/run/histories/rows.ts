/** What the service knows of the rows of a task. */
import type { LoggedRequest } from '../../../fake-service/index';
import { windowOf, type Row, type Task } from './history';
import { concerns } from './kinds';
import type { Scene } from './scene';

/** How often the row was carried out. */
export const appliedTimes = ({ service }: Scene, task: Task, row: Row): number =>
	task.setup.kind.applied(service, row);

/** Whether its rows are posts that need no file. */
export const isPlainPost = ({ setup: { kind } }: Task): boolean =>
	kind.name === 'post' || kind.name === 'post of a row';

/** Whether its rows are posts that are found by their key. */
export const isPost = ({ setup: { kind } }: Task): boolean =>
	['post', 'post with a file', 'post of a row'].includes(kind.name);

export const writesOf = ({ service }: Scene, row: Row): LoggedRequest[] =>
	service.requests.filter((request) => concerns(request, row));

export const isOnItsWay = (scene: Scene, row: Row): boolean =>
	writesOf(scene, row).some(({ fault, handled }) => fault === 'late' && handled === null);

export const pendingReason = ({ service }: Scene, { postId }: Row): string | undefined =>
	service.world.own.posts.get(postId)?.hidden.pending?.reason;

/** How long after its arrival a request was handled. */
const lateBy = ({ fault, lateMs = 0 }: LoggedRequest): number => (fault === 'late' ? lateMs : 0);

/** Handled after the time in which `createOnce` expects it. */
export const isTooLate = (request: LoggedRequest, { setup }: Task): boolean =>
	setup.unique && !setup.kind.recognised && lateBy(request) > windowOf(setup);

/** No client can know of a request that is handled after that time. */
export function excuseLate(task: Task, sent: readonly LoggedRequest[]): void {
	for (const row of task.rows) {
		const wasTooLate = sent.some((request) => concerns(request, row) && isTooLate(request, task));
		if (wasTooLate) row.excuse ??= 'with a unique key: there twice, late beyond the window';
	}
}
