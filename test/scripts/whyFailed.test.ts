/** What `npm start` says when n8n could not be installed; the words are npm's own. */
import {
	mayPassByItself,
	tooLittleRoom,
	whyInstallFailed,
	whyRebuildFailed,
} from '../../scripts/n8n/whyFailed';

const FOLDER = '/home/ada/nodes/.cache/n8n-host';

it.each([
	[
		'npm error code ENOSPC\nnpm error syscall write\nnpm error nospc There appears to be insufficient space on your system to finish.',
		/^The disk of .*n8n-host is full\. n8n needs up to 3\.0 GB/,
		false,
	],
	[
		'npm error code ENOTFOUND\nnpm error network request to https://registry.npmjs.org/n8n failed, reason: getaddrinfo ENOTFOUND registry.npmjs.org',
		/could not reach its registry \(ENOTFOUND\).*npm config get registry/,
		false,
	],
	[
		'npm error code EAI_AGAIN\nnpm error network getaddrinfo EAI_AGAIN registry.npmjs.org',
		/could not reach its registry \(EAI_AGAIN\)/,
		false,
	],
	[
		'npm error code ECONNREFUSED\nnpm error connect ECONNREFUSED 127.0.0.1:8080',
		/could not reach its registry \(ECONNREFUSED\).*proxy/,
		false,
	],
	[
		'npm error code ETIMEDOUT\nnpm error network request failed, reason: connect ETIMEDOUT',
		/could not reach its registry \(ETIMEDOUT\)/,
		true,
	],
	['npm error code E404\nnpm error 404 Not Found - GET …', /rejected a download \(E404\)/, true],
	[
		'npm error code EACCES\nnpm error syscall mkdir\nnpm error path /home/ada/nodes/.cache/n8n-host',
		/not allowed to write a file \(EACCES\).*who owns that folder/,
		false,
	],
	['npm error code EROFS', /not allowed to write a file \(EROFS\)/, false],
	['npm error Something new', undefined, true],
])('%j is explained', (words, meaning, mayPass) => {
	const said = whyInstallFailed(words, FOLDER);
	if (meaning === undefined) expect(said).toBeUndefined();
	else expect(said).toMatch(meaning);
	expect(mayPassByItself(words)).toBe(mayPass);
});

it('a driver that cannot be built says what building takes, unless the disk is full', () => {
	expect(whyRebuildFailed('gyp ERR! find Python', FOLDER)).toMatch(/python3 make g\+\+/);
	expect(whyRebuildFailed('ENOSPC: no space left on device, write', FOLDER)).toMatch(/is full/);
});

it('a small disk is noticed before anything is downloaded', () => {
	expect(tooLittleRoom('/small', 1.25e9)).toMatch(
		/up to 3\.0 GB, and the disk of \/small has 1\.\d GB/,
	);
});
