import {
	accountOfKey,
	freeOwnName,
	isOwn,
	ownNames,
} from '../../../nodes/LeadGenPublishing/watch/store/accountNames';

it('names a further own account by the first number that is free', () => {
	const names = (...taken: string[]): string => freeOwnName(new Set(taken));
	expect(names()).toBe('own');
	expect(names('own')).toBe('own2');
	expect(names('own', 'own2', 'own3')).toBe('own4');
	expect(names('own', 'own3')).toBe('own2');
	expect(names('own', 'own2')).toBe('own3');
	expect(['own', 'own2', 'own17'].every(isOwn)).toBe(true);
	expect(['owner', 'xown', 'own2x', ''].some(isOwn)).toBe(false);
});

it('finds the account behind the first dot of a key', () => {
	expect(accountOfKey('scope.own')).toBe('own');
	expect(accountOfKey('scope.a.b')).toBe('a.b');
});

it('knows the own accounts of one scope from its clients, and from those of another scope', () => {
	const lists = { 'scope.own': 1, 'scope.client': 1, 'other.own3': 1, 'scope.own2': 1, own4: 1 };
	expect(ownNames('scope', lists)).toEqual(['own', 'own2']);
	expect(ownNames('scop', lists)).toEqual([]);
});
