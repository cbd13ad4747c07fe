/** How long the service thinks: the longest of the delays that apply to a request. */
export class Latency {
	/** For every request, in ms. */
	global = 0;
	private readonly paths: { path: string | RegExp; ms: number }[] = [];
	private readonly clients = new Map<string, number>();

	path(path: string | RegExp, ms: number): void {
		this.paths.push({ path, ms });
	}

	client(clientId: string, ms: number): void {
		this.clients.set(clientId, ms);
	}

	clear(): void {
		this.global = 0;
		this.paths.length = 0;
		this.clients.clear();
	}

	of(request: { path: string; clientId: string | null }): number {
		const fitting = this.paths.filter(({ path }) =>
			typeof path === 'string' ? path === request.path : path.test(request.path),
		);
		const client = this.clients.get(request.clientId ?? '') ?? 0;
		return Math.max(this.global, client, ...fitting.map(({ ms }) => ms));
	}
}
