// When a process of n8n can be used.

/** The readiness check answers once migrations are done; the settings once the API is there. */
export const READY_PATHS = {
	main: ['/healthz/readiness', '/rest/settings'],
	worker: ['/healthz/readiness'],
} as const;

export async function respondsWithJson(url: string): Promise<boolean> {
	try {
		const response = await fetch(url);
		// While it starts, an older n8n answers everything with a page that says so.
		return response.ok && (response.headers.get('content-type') ?? '').includes('json');
	} catch {
		return false;
	}
}
