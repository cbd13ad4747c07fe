import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** What an n8n with this user folder has stored, to be read while it runs. */
export const openDatabase = (folder: string): DatabaseSync =>
	new DatabaseSync(join(folder, '.n8n', 'database.sqlite'), { readOnly: true });
