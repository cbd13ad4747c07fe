/**
 * Tries harmless writes: a draft, a lead magnet with a keyword that nobody knows, and an image of
 * one pixel. It does not publish or touch anything else, and removes what it made. Stopping the run
 * does not interrupt a request that may create something, because its response says what to remove.
 */
import { randomBytes } from 'crypto';

import type { JsonRecord } from '../../api/schemas';
import { markerFor, noteWith } from '../../records/keyMarker';
import type { Asked, Change, DraftTrial, Left, MagnetTrial, Removal, Trial } from '../facts';
import { fitsPath, idIn, recordOf, recordsOf } from '../records';
import { tryFile, type Upload } from './file';
import type { Requests } from './requests';
import { saysNotFound, mayBeMade, remove, searchFor } from './tidying';

export interface Bench {
	readonly clientId: string | undefined;
	/** Sends the trial writes, within "Max Wait". */
	readonly writer: Requests;
	/** Removes what the trial created. It has its own time, and the last requests of the run. */
	readonly tidier: Requests;
	/** Whether the user has stopped the run. */
	readonly isStopped: () => boolean;
	readonly upload: Upload;
}

export async function tryWrites(bench: Bench): Promise<Trial> {
	const mark = `n8n-diagnosis-${randomBytes(6).toString('hex')}`;
	const left: Left[] = [];
	const draft = await tryDraft(bench, mark, left);
	const magnet = bench.isStopped() ? undefined : await tryMagnet(bench, mark, left);
	const file = bench.isStopped() ? undefined : await tryFile(bench, mark, left);
	return { mark, draft, magnet, file, left };
}

const LONGEST_TEXT = 3_000;
/**
 * Hard to store: a combining accent, HTML characters, a non-breaking space, emojis, line breaks.
 */
const HARD_TEXT =
	'Cafe\u0301 & <b>"it\'s"</b> 1\u00a02 👍🏽 🚀\n\nA second paragraph,\nand a second line.\n';
const HARD_NOTE =
	'A test draft of Account > Diagnose. You can delete it.\nA note of several lines & "quotes" – with ümlauts and 🚀.\n';

const shortText = (mark: string): string =>
	`This is a test draft from n8n. You can delete it. ${mark}\n${HARD_TEXT}`;

const longText = (mark: string): string => {
	const beginning = shortText(mark);
	const filling = 'This sentence fills the text up. ';
	return (
		beginning + filling.repeat(LONGEST_TEXT).slice(0, LONGEST_TEXT - beginning.length - 1) + '.'
	);
};

const isTooLong = ({ outcome }: Asked): boolean =>
	outcome.kind === 'refused' && [400, 413, 422].includes(outcome.status);

async function tryDraft(bench: Bench, mark: string, left: Left[]): Promise<DraftTrial> {
	const { clientId, writer } = bench;
	const notes = noteWith(HARD_NOTE.repeat(4).trimEnd(), [markerFor(mark)]);
	const create = async (text: string): Promise<Asked> =>
		await writer.send('post.create', {
			clientId,
			body: { text, status: 'draft', notes },
			purpose: 'trial',
		});
	let sent = { text: longText(mark), notes };
	let creation = await create(sent.text);
	const refused = isTooLong(creation) ? creation : undefined;
	if (refused !== undefined && !bench.isStopped()) {
		sent = { text: shortText(mark), notes };
		creation = await create(sent.text);
	}
	const made = { sent, longText: refused, creation, listed: [] };
	if (!mayBeMade(creation)) return made;
	const id = idIn(recordOf(creation));
	if (id === undefined || !fitsPath(id)) {
		const found = await searchFor(bench, 'post', { mark, creation });
		const removal = found === undefined ? undefined : await remove(bench, 'post', found);
		if (removal?.isGone !== true)
			left.push({ what: 'draft', name: found ?? mark, isCertain: found !== undefined });
		return { ...made, removal };
	}
	const looked = await lookAtDraft(bench, { id, mark });
	const twins = await removeTwins(bench, { id, mark, pages: looked.listed, left });
	const isDraft = recordOf(creation)?.status === 'draft';
	const removal = await remove(bench, 'post', id, isDraft ? undefined : mark);
	if (!removal.isGone) left.push({ what: 'draft', name: id, isCertain: true });
	return { ...made, ...looked, twins, removal };
}

const MOST_TWINS = 2;

/** Removes further drafts. A service may create two posts from one request. */
async function removeTwins(
	bench: Bench,
	{ id, mark, pages, left }: { id: string; mark: string; pages: readonly Asked[]; left: Left[] },
): Promise<Removal[]> {
	const marked = pages
		.flatMap(recordsOf)
		.filter((post) => JSON.stringify(post).includes(mark))
		.flatMap((post) => idIn(post) ?? []);
	// If the list shows the draft under another ID, the marked post is the draft itself, not a twin.
	const others = marked.includes(id)
		? [...new Set(marked)].filter((other) => other !== id && fitsPath(other))
		: [];
	const removals: Removal[] = [];
	for (const other of others.slice(0, MOST_TWINS)) {
		const removal = await remove(bench, 'post', other);
		if (!removal.isGone) left.push({ what: 'draft', name: other, isCertain: true });
		removals.push(removal);
	}
	return removals;
}

type Looked = Pick<DraftTrial, 'listed' | 'read' | 'missed' | 'change' | 'emptying'>;

async function lookAtDraft(
	bench: Bench,
	{ id, mark }: { id: string; mark: string },
): Promise<Looked> {
	const { clientId, writer, isStopped } = bench;
	const listed: Asked[] = [];
	if (isStopped()) return { listed };
	// A list may take a moment to show a new post.
	for (const pause of [0, 1_000]) {
		if (pause > 0 && !(await writer.wait(pause))) break;
		const pages = await pagesWith(bench, id);
		listed.push(...pages);
		if (pages.some((page) => recordsOf(page).some((post) => idIn(post) === id))) break;
	}
	if (isStopped()) return { listed };
	const first = await writer.send('post.get', { clientId, id, purpose: 'trial' });
	const isRepeated = saysNotFound(first.outcome) && !isStopped() && (await writer.wait(1_000));
	const missed = isRepeated ? first : undefined;
	const read = isRepeated
		? await writer.send('post.get', { clientId, id, purpose: 'trial' })
		: first;
	if (isStopped()) return { listed, read, missed };
	const change = await changeDraft(bench, id, { text: `${shortText(mark)}Changed.` });
	if (isStopped() || change.asked.outcome.kind !== 'success')
		return { listed, read, missed, change };
	const emptying = await changeDraft(bench, id, { notes: null });
	return { listed, read, missed, change, emptying };
}

const MOST_PAGES = 3;

/** The pages of the list of posts, up to the one that shows the draft. */
async function pagesWith({ clientId, writer, isStopped }: Bench, id: string): Promise<Asked[]> {
	const pages: Asked[] = [];
	let offset = 0;
	while (pages.length < MOST_PAGES && !isStopped()) {
		const query = { limit: 100, offset };
		const page = await writer.send('post.getAll', { clientId, query, purpose: 'trial' });
		pages.push(page);
		const records = recordsOf(page);
		if (records.length === 0 || records.some((post) => idIn(post) === id)) break;
		offset += records.length;
	}
	return pages;
}

/** Changes the draft and reads it: once more after a moment if the change does not show. */
async function changeDraft(
	{ clientId, writer, isStopped }: Bench,
	id: string,
	sent: JsonRecord,
): Promise<Change> {
	const asked = await writer.send('post.update', { clientId, id, body: sent, purpose: 'trial' });
	if (asked.outcome.kind !== 'success' || isStopped()) return { sent, asked };
	let after = await writer.send('post.get', { clientId, id, purpose: 'trial' });
	const isShown = Object.entries(sent).every(
		([name, value]) => (recordOf(after)?.[name] ?? null) === value,
	);
	if (!isShown && !isStopped() && (await writer.wait(1_000)))
		after = await writer.send('post.get', { clientId, id, purpose: 'trial' });
	return { sent, asked, after };
}

async function tryMagnet(bench: Bench, mark: string, left: Left[]): Promise<MagnetTrial> {
	const { clientId, writer, tidier, isStopped } = bench;
	const sent = {
		delivery_mode: 'external_link',
		// Nobody comments this by chance.
		keyword: mark,
		resource_name: 'A test of Account > Diagnose in n8n. You can archive it.',
		resource_link: 'https://example.com/',
	};
	const creation = await writer.send('leadMagnet.create', {
		clientId,
		body: sent,
		purpose: 'trial',
	});
	if (!mayBeMade(creation)) return { sent, creation };
	const given = idIn(recordOf(creation));
	const id =
		given !== undefined && fitsPath(given)
			? given
			: await searchFor(bench, 'leadMagnet', { mark, creation });
	if (id === undefined) {
		left.push({ what: 'lead magnet', name: mark, isCertain: false });
		return { sent, creation };
	}
	const read =
		given === undefined || isStopped()
			? undefined
			: await writer.send('leadMagnet.get', { clientId, id, purpose: 'trial' });
	const removal = await remove(bench, 'leadMagnet', id);
	if (!removal.isGone) left.push({ what: 'lead magnet', name: id, isCertain: true });
	if (isStopped()) return { sent, creation, read, removal };
	const query = { limit: 100, offset: 0 };
	const listedAfter = await tidier.send('leadMagnet.getAll', { clientId, query, purpose: 'trial' });
	return { sent, creation, read, removal, listedAfter };
}
