// What a service is started with.

import type { ServiceClock } from './clock';
import type { Settings } from './settings';
import type { Shapes } from './shapes';
import type { Words } from './words';

export interface ServiceOptions extends Partial<Settings> {
	port?: number;
	controlPort?: number;
	/** In a container the page is published, so it listens on all of the container's addresses. */
	controlHost?: string;
	/** Start the control page and its API too. */
	control?: boolean;
	clock?: ServiceClock;
	/** Instead of real time, for requests that are handled late. */
	pause?: (ms: number) => Promise<void>;
	seed?: number;
	/** Answer in the shapes that `npm run diagnose -- --save FILE` has saved. */
	shapes?: Shapes;
	/** What the service and its network are really called. */
	words?: Words;
	/** `small` gives every account a handful of records, `none` gives none. */
	sample?: 'small' | 'none';
}
