/** IDs and texts that are known already take a few characters, and come out as they went in. */
import {
	MAX_KNOWN,
	pack,
	packUuid,
	refersToItem,
	unpack,
	unpackUuid,
} from '../../nodes/LeadGenPublishing/run/writeOnce/packedText';

const ID = '6f1c2f0e-7d4b-4a53-9d53-0c1f0a6c1b11';
const OTHER = '0a6c1b11-2f0e-4a53-9d53-6f1c7d4b0c1f';
const HEX = '0123456789abcdef0123';
const LONG = 'a sentence of more than 36 characters, with ~ in it';
const u = (id: string) => `~u${packUuid(id)}`;
const H = `~h${Buffer.from(HEX, 'hex').toString('base64url')}`;
const many = Array.from({ length: MAX_KNOWN + 8 }, (_, index) => `text ${index}.`);

it.each<[string, string, { l?: string[]; r?: string[] }, string]>([
	['what is not known', 'plain', {}, 'plain'],
	['the mark itself', 'a~b~~', {}, 'a~~b~~~~'],
	['an ID', `a/${ID}.png`, {}, `a/${u(ID)}.png`],
	['two IDs', `${ID}${OTHER}~`, {}, `${u(ID)}${u(OTHER)}~~`],
	['an ID in capitals, as it is', ID.toUpperCase(), {}, ID.toUpperCase()],
	['another kind of ID', `(${HEX})`, {}, `(${H})`],
	['two of them', HEX + HEX, {}, H + H],
	['a known text', 'abcd', { l: ['abcd'] }, '~l0'],
	['one of the item', 'abcd', { r: ['wxyz', 'abcd'] }, '~r1'],
	['a known text wherever it stands', '-abcd~abcd', { l: ['abcd'] }, '-~l0~~~l0'],
	['one beside an ID', `abcd${ID}abcd`, { l: ['abcd'] }, `~l0${u(ID)}~l0`],
	['one that would be too short', 'abc', { l: ['abc'] }, 'abc'],
	['one that is longer than the text', 'abcd', { l: ['abcde'] }, 'abcd'],
	['the first of two that are as long', 'abcdef', { l: ['abcd', 'cdef'] }, '~l0ef'],
	['the longest, be it the last', 'abcdef', { l: ['abcd', 'abcdef'] }, '~l1'],
	['the longest, be it the first', 'abcdef', { l: ['abcdef', 'abcd'] }, '~l0'],
	['the longest of both kinds', 'abcdef', { l: ['abcd'], r: ['abcdef'] }, '~r0'],
	['its own before that of the item', 'abcd', { l: ['abcd'], r: ['abcd'] }, '~l0'],
	['an ID that is known', `${ID}!`, { l: [ID] }, '~l0!'],
	['an ID of which a part is known', ID, { l: ['7d4b'] }, u(ID)],
	['a long text around IDs', `${ID}~${LONG}${ID}`, { l: [LONG] }, `${u(ID)}~~~l0${u(ID)}`],
	['the last text that can be referred to', 'text 61.', { r: many }, '~rz'],
	['one after it', 'text 62.', { r: many }, 'text 62.'],
])('%s', (_, text, { l = [], r = [] }, packed) => {
	expect(pack(text, { l, r })).toBe(packed);
	expect(unpack(packed, { l, r })).toBe(text);
});

it('a text that is not there any more is empty', () => {
	expect(unpack('a~r5b~l0c', { r: [], l: [] })).toBe('abc');
});

it.each([
	['~r0', true],
	['a~l0b~r1', true],
	['~r1~l0', true],
	['~l0', false],
	['a~~r0', false],
	['plain', false],
])('%s refers to the item: %s', (packed, expected) => {
	expect(refersToItem(packed)).toBe(expected);
});

it('an ID takes 22 characters', () => {
	expect(packUuid(ID)).toHaveLength(22);
	expect(unpackUuid(packUuid(ID))).toBe(ID);
});
