/** The service's time: real unless it is stopped, moved or replaced. */
export class ServiceClock {
	private offset = 0;
	private stoppedAt: number | null = null;

	constructor(private readonly source: () => number = Date.now) {}

	now(): number {
		return (this.stoppedAt ?? this.source()) + this.offset;
	}

	iso(shiftMs = 0): string {
		return new Date(this.now() + shiftMs).toISOString();
	}

	advance(ms: number): void {
		this.offset += ms;
	}

	set(time: number | string | Date): void {
		this.offset += new Date(time).getTime() - this.now();
	}

	/** Stops time; `advance` and `set` still move it. */
	freeze(): void {
		this.stoppedAt ??= this.source();
	}

	reset(): void {
		this.offset = 0;
		this.stoppedAt = null;
	}
}
