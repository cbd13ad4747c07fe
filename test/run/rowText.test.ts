/** How the value of a record is written beside the one before, in as few characters as possible. */
import {
	fieldOf,
	rowFrom,
	rowText,
	valueOf,
} from '../../nodes/LeadGenPublishing/run/writeOnce/rowText';

const TIME = '2030-01-31T10:00:00.000Z';
const x = (count: number) => 'x'.repeat(count);

it.each([
	['what has not changed is nothing', 'same', 'same', ''],
	['what is new stands as it is', 'abc', '', '00abc'],
	['common ends are counted', 'abXcd', 'abYcd', '22X'],
	['a character is not counted for both ends', 'aa', 'aaa', '20'],
	['nor where one more has come', 'aaa', 'aa', '20a'],
	['no more of a beginning than a digit can say', `${x(70)}a`, `${x(70)}b`, `z0${x(9)}a`],
	['and of an end', `a${x(70)}`, `b${x(70)}`, `0za${x(9)}`],
	['what separates fields and rows is written otherwise', 'a|b^c%', '', '00a%7cb%5ec%25'],
	['a sign inside is no difference', 'a-b', '', '00a-b'],
	['nor one at the beginning', '+1', '', '00+1'],
	['a number is told by its difference', '12', '5', '+7'],
	['also a smaller one', '-3', '4', '-7'],
	['also where that is no shorter', '1100', '1000', '+2s'],
	['but not where it is longer', '200000000', '100000000', '082'],
	['a number of 15 digits', '123456789012345', '123456789012344', '+1'],
	['is exact, and one of 16 digits is a text', '1234567890123456', '1234567890123455', 'F06'],
	['so is one with zeros before it', '007', '6', '00007'],
	['and one beside it', '6', '007', '006'],
	['and minus zero', '-0', '1', '00-0'],
	['and a fraction', '1.5', '1', '10.5'],
	['and what only begins as one', '7a', '6', '007a'],
	['a time is told by its difference', '2030-01-31T10:00:01.000Z', TIME, '+rs'],
	['also an earlier one', TIME, '2030-01-31T10:00:01.000Z', '-rs'],
	['a date is a text', '2030-01-31', TIME, 'A0'],
	['also where a time follows', TIME, '2030-01-31', 'A0T10:00:00.000Z'],
	['so is a day that does not exist', '2030-02-31T10:00:00.000Z', TIME, '6H2'],
	['and a date in words', '31 May 2030', '1 June 2030', '0531 May'],
])('%s', (_, value, before, field) => {
	expect(fieldOf(value, before)).toBe(field);
	expect(valueOf(field, before)).toBe(value);
});

it.each([
	['is empty where nothing is to be said', {}, ['', ''], '^'],
	['leaves out what is empty at its end alone', {}, ['', 'x', '', ''], '|x^'],
	['says which item it is', { item: 36 }, ['x'], '@10:x^'],
	['says of which shape it is', { shape: 37 }, ['x'], '#11:x^'],
	['says how to check it', { check: '#1:' }, ['x'], '!#1:x^'],
	['says all of it', { item: 0, shape: 0, check: '@0:' }, ['x', 'y\nz'], '@0:#0:!@0:x|y\nz^'],
])('a row %s', (_, head, fields, text) => {
	expect(rowText(head, fields)).toBe(text);
	const read = rowFrom(text.slice(0, -1));
	const kept = fields.join('|').replace(/\|*$/, '').split('|');
	expect(read).toStrictEqual({ ...head, fields: kept });
});
