// What is measured again and again while it runs.

import type { Held } from './inspector';
import { stateSize, type Scene } from './scene';

export interface Sample extends Held {
	/** Minutes since the beginning. */
	at: number;
	/** Characters of the trigger's state. */
	state: number;
	leads: number;
	requestsPerMinute: number;
}

export function sampler(scene: Scene): () => Promise<Sample> {
	const began = performance.now();
	let last = began;
	return async () => {
		const held = await scene.inspector.held();
		const now = performance.now();
		const requests = scene.service.requests.length;
		// The log would grow with the time that it runs.
		scene.service.clearLog();
		const minutes = (now - last) / 60_000;
		last = now;
		return {
			...held,
			at: (now - began) / 60_000,
			state: stateSize(scene),
			leads: scene.leads(),
			requestsPerMinute: requests / minutes,
		};
	};
}
