/** Tells damage from what was written. Not a signature: who can write the state may also sign it. */
import { createHash } from 'crypto';

export function checksum(...parts: string[]): string {
	const hash = createHash('sha1');
	for (const part of parts) hash.update(part).update('\n');
	return hash.digest('base64url').slice(0, 12);
}
