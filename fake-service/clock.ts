/** The service's time: real unless it is given another. */
export class ServiceClock {
	constructor(readonly now: () => number = Date.now) {}

	iso(shiftMs = 0): string {
		return new Date(this.now() + shiftMs).toISOString();
	}
}
