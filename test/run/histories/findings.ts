/** What is counted of one history, and what of it should not have happened. */
import type { LoggedRequest } from '../../../fake-service/index';
import type { CountName, Counts } from './counts';
import type { Task } from './history';

export class Findings {
	readonly counts: Counts = {};
	/** In words. */
	readonly wrong: string[] = [];

	count(name: CountName, by = 1): void {
		this.counts[name] = (this.counts[name] ?? 0) + by;
	}

	countWork(sent: readonly LoggedRequest[], executions = 1): void {
		this.count('executions', executions);
		this.count('requests', sent.length);
		this.count('writes', sent.filter(({ method }) => method !== 'GET').length);
		this.count('faults', sent.filter(({ fault }) => fault !== null && fault !== 'delay').length);
	}

	add(task: Task, name: CountName, what: string): void {
		this.count(name);
		this.wrong.push(`${nameOf(task)}: ${name}: ${what}`);
	}
}

const nameOf = ({ setup: { kind, unique } }: Task): string =>
	unique ? `${kind.name}, unique` : kind.name;
