// The running service, as its control page and the tests see it.

import type { Cast } from './cast';
import type { ServiceClock } from './clock';
import type { Faults } from './faults';
import type { Happenings } from './happenings';
import type { Latency } from './http';
import type { Orders } from './lists';
import type { LoggedRequest, RedirectedRequest, StorageRequest } from './log';
import type { ProviderScript } from './provider';
import type { Settings } from './settings';
import type { World } from './world';

export interface FakeService {
	readonly baseUrl: string;
	readonly storageUrl: string;
	/** Another host: where the redirect fault points to. */
	readonly redirectHost: string;
	/** Set when started with `control`. */
	readonly controlUrl: string | null;
	readonly requests: LoggedRequest[];
	readonly storageRequests: StorageRequest[];
	/** What reached `redirectHost`. */
	readonly redirected: RedirectedRequest[];
	clearLog(): void;
	/** Resolves once everything that was sent up to now is answered or given up. */
	idle(): Promise<void>;
	readonly world: World & Cast;
	readonly faults: Faults;
	/** What has happened, in words. */
	readonly happenings: Happenings;
	/** Where the control page leads to besides. */
	readonly guide: { label: string; url: string }[];
	/** What the network does to the next change of a published post. */
	readonly provider: ProviderScript;
	/** How lists are sorted, if not newest first. */
	readonly orders: Orders;
	readonly latency: Latency;
	readonly clock: ServiceClock;
	/** May be changed while it runs. */
	readonly settings: Settings;
	close(): Promise<void>;
}
