/** Which tests have to notice a fault: those of the room that the changed file is in, and the contract. Pure. */

/** Rooms whose promises are tested, in part or in whole, in other rooms. */
const TESTED_IN: Readonly<Record<string, readonly string[]>> = {
	item: ['run'],
	feed: ['watch'],
	panel: ['operations'],
	planning: ['operations'],
	writes: ['run', 'operations'],
};

/** `nodes/LeadGenPublishing/feed/poll.ts` is in `feed`; the nodes themselves are in none. */
export function roomOf(file: string): string | undefined {
	const [folder, , ...below] = file.split('/');
	if (folder === 'credentials') return folder;
	return below.length > 1 ? below[0] : undefined;
}

/** The folders below `test/`, the room's own one first. */
export function testFoldersOf(file: string): string[] {
	const room = roomOf(file);
	return [...(room === undefined ? [] : [room, ...(TESTED_IN[room] ?? [])]), 'contract'];
}
