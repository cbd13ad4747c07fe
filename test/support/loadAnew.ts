/**
 * Loads modules of the package as a new process of n8n does, so that their one-time work is part of
 * the test. n8n and libraries are not loaded again.
 */
const SHARED = ['n8n-workflow', 'luxon', 'zod'];

export function loadAnew<T>(load: (module: <M>(path: string) => M) => T): T {
	const kept = SHARED.map((name): [string, unknown] => [name, jest.requireActual(name)]);
	let loaded: T | undefined;
	jest.isolateModules(() => {
		for (const [name, module] of kept) jest.doMock(name, () => module);
		loaded = load((path) => jest.requireActual<never>(`../../${path}`));
	});
	for (const [name] of kept) jest.dontMock(name);
	return loaded as T;
}
