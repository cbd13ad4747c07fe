/**
 * Idempotency keys. Pure. The same parts always give the same key, so that the service recognises a
 * repeated run of the same item; different parts give a different key.
 */
import { createHash } from 'crypto';

export function keyFrom(...parts: ReadonlyArray<string | number>): string {
	const hex = createHash('sha256').update(JSON.stringify(parts)).digest('hex');
	// In the form of a UUID, the form of a key that is least likely to be refused.
	const variant = ((parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16);
	return [
		hex.slice(0, 8),
		hex.slice(8, 12),
		`5${hex.slice(13, 16)}`,
		variant + hex.slice(17, 20),
		hex.slice(20, 32),
	].join('-');
}

/** The API document gives no rule for keys; these limits suit any HTTP header and store. */
export function keyProblem(key: string): string | undefined {
	if (key.length > 255) return 'is longer than 255 characters';
	if (!/^[\x21-\x7e]+$/.test(key)) return 'may hold only visible ASCII characters without spaces';
	return undefined;
}
