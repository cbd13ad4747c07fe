// Why something that npm or the disk refused has failed, for a person who has only just begun.

const NO_ROOM = /ENOSPC|no space left on device/i;
const NO_NETWORK =
	/\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|ERR_SOCKET_TIMEOUT)\b/;
const NOT_WRITABLE = /\b(EACCES|EPERM|EROFS)\b/;
const REFUSED = /\bE(401|403|404)\b/;
const GIGABYTE = 1e9;

/** Two thousand downloads: now and then one of them fails, and the next time it does not. */
export const mayPassByItself = (words: string): boolean =>
	!NO_ROOM.test(words) &&
	!NOT_WRITABLE.test(words) &&
	!/\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ENETUNREACH)\b/.test(words);

/** What n8n and npm's downloads take together while they are installed. */
export const NEEDED_BYTES = 3 * GIGABYTE;

const inGigabytes = (bytes: number): string => `${(bytes / GIGABYTE).toFixed(1)} GB`;

export const tooLittleRoom = (folder: string, free: number): string =>
	`There is too little space to install n8n: it needs up to ${inGigabytes(NEEDED_BYTES)}, and the disk of ${folder} has ${inGigabytes(free)} left.`;

/** A sentence on what is wrong and one on what helps; undefined if the words say neither. */
export function whyInstallFailed(words: string, folder: string): string | undefined {
	if (NO_ROOM.test(words)) {
		return `The disk of ${folder} is full. n8n needs up to ${inGigabytes(NEEDED_BYTES)} there. Free some space, then start again.`;
	}
	const network = NO_NETWORK.exec(words)?.[0];
	if (network !== undefined) {
		return `npm could not reach its registry (${network}). The first start has to download n8n. Check your internet connection, and the output of "npm config get registry" and "npm config get proxy". Then start again.`;
	}
	const refused = REFUSED.exec(words)?.[0];
	if (refused !== undefined) {
		return `The npm registry rejected a download (${refused}). Check the output of "npm config get registry", then start again.`;
	}
	const written = NOT_WRITABLE.exec(words)?.[0];
	if (written !== undefined) {
		return `npm is not allowed to write a file (${written}), probably in ${folder}. Check who owns that folder, then start again.`;
	}
	return undefined;
}

export const whyRebuildFailed = (words: string, folder: string): string =>
	NO_ROOM.test(words)
		? (whyInstallFailed(words, folder) ?? '')
		: "The driver of n8n's database could neither be downloaded nor built. To build it, you need Python 3, make and a C++ compiler (on Debian: sudo apt-get install python3 make g++), and internet access for the headers of Node.js.";
