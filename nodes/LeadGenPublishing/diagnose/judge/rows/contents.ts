/** Is my data complete? Whether texts are readable, and whether lists show deleted records. */
import { isRecord, type JsonRecord } from '../../../api/schemas';
import type { ListName } from '../../facts';
import type { Evidence } from '../evidence';
import { needsYou, ok, row, unusual, type CheckFinding, type Row } from '../row';
import { count, EVERY_LIST, fieldNames, inWords, listName } from '../words';

const textsIn = (record: JsonRecord): string[] =>
	Object.values(record).flatMap((value) =>
		typeof value === 'string' ? [value] : isRecord(value) ? textsIn(value) : [],
	);

/** A lost character, or a letter of two bytes that was decoded as two letters. */
const DAMAGED = /\ufffd|[\u00c2\u00c3][\u0080-\u00bf]|\u00e2\u20ac/;
const hasSpecialCharacter = (text: string): boolean => /[^\0-\x7f]/.test(text);
/** One person may have pasted a damaged text. */
const MIN_DAMAGED = 2;

function characters(evidence: Evidence): Array<CheckFinding<'readable' | 'damaged'>> {
	return EVERY_LIST.flatMap((list): Array<CheckFinding<'readable' | 'damaged'>> => {
		const texts = evidence.listed(list).flatMap(textsIn).filter(hasSpecialCharacter);
		if (texts.length === 0) return [];
		const damaged = texts.filter((text) => DAMAGED.test(text)).length;
		const about = listName(list);
		const isDamaged = damaged >= MIN_DAMAGED && damaged * 2 >= texts.length;
		return [
			{
				kind: isDamaged ? 'damaged' : 'readable',
				about,
				seen: `${about}: ${damaged} of ${count(texts.length, 'text')} with special characters`,
			},
		];
	});
}

/** Fields that may mark a record as deleted. */
const MARKS = ['deleted_at', 'removed_at', 'is_deleted', 'deleted'];
const marksOf = (record: JsonRecord): string[] =>
	MARKS.filter((name) => {
		const value = record[name];
		return value === true || (name.endsWith('_at') && typeof value === 'string' && value !== '');
	});

const PEOPLE_AND_POSTS: readonly ListName[] = ['post.getAll', 'lead.getAll', 'activity.getAll'];

function deleted(evidence: Evidence): Array<CheckFinding<'none' | 'listed'>> {
	const read = PEOPLE_AND_POSTS.filter((list) => evidence.listed(list).length > 0);
	const found = read.flatMap((list): Array<CheckFinding<'listed'>> => {
		const marks = evidence.listed(list).map(marksOf);
		const marked = marks.filter((names) => names.length > 0);
		if (marked.length === 0) return [];
		const names = inWords(
			fieldNames([Object.fromEntries(marked.flat().map((name) => [name, '']))]),
		);
		const about = `${listName(list)} (${names})`;
		const seen = `${listName(list)}: ${marked.length} of ${count(marks.length, 'record')}`;
		return [{ kind: 'listed', about, seen }];
	});
	if (found.length > 0 || read.length === 0) return found;
	return [{ kind: 'none', seen: 'no record says that it was deleted' }];
}

export const CONTENTS: readonly Row[] = [
	row('Special characters', {
		block: 'data',
		find: characters,
		words: {
			readable: ok('Accents, umlauts and emojis can be read: {about}.'),
			damaged: needsYou(
				'Accents, umlauts or emojis are damaged: {about}. Names look wrong in every workflow.',
				'Send this item to the service. Until then, check names before you write to people.',
			),
		},
		unseen: 'No record has accents, umlauts or emojis.',
	}),
	row('Deleted records', {
		block: 'data',
		find: deleted,
		words: {
			none: ok('The lists show no deleted records.'),
			listed: unusual(
				'The lists also show deleted records: {about}. The trigger and "Get Many" return them, too.',
				'Add a Filter node that keeps only records without a value in that field.',
			),
		},
		unseen: 'The lists are empty.',
	}),
];
