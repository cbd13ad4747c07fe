/** Loads a built package folder as n8n does at its start. */
import { PackageDirectoryLoader } from 'n8n-core';

import { instance } from './instance';

export async function loadPackage(directory: string): Promise<PackageDirectoryLoader> {
	await instance();
	const loader = new PackageDirectoryLoader(directory);
	await loader.loadAll();
	return loader;
}
