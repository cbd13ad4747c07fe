/** A lead magnet for a table: what it is first, its page as flat fields; nothing is lost. Pure. */
import type { JsonRecord } from '../../api/schemas';
import { flatten } from '../lead/simplify';

const FIRST = ['id', 'resource_name', 'keyword', 'delivery_mode', 'resource_link', 'description'];

export function simplifyLeadMagnet(magnet: JsonRecord): JsonRecord {
	const first = FIRST.filter((name) => name in magnet).map((name) => [name, magnet[name]]);
	return { ...(Object.fromEntries(first) as JsonRecord), ...flatten(magnet) };
}
