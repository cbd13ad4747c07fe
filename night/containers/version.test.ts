import { expectedVersion, tagOf } from './version';

describe('a run with another version', () => {
	const TAGS = ['3.3.0', '3.10.1', '3.9.9', '3.11.0-beta.1', '3.x', 'latest', '2.41.1'];

	it('takes the newest image of a major version, and none if there is none', async () => {
		const read = async (prefix: string) => TAGS.filter((tag) => tag.startsWith(prefix));
		expect(await tagOf('3.x', read)).toBe('3.10.1');
		expect(await tagOf('4.x', read)).toBeUndefined();
		expect(await tagOf('next', () => Promise.reject(new Error('not asked')))).toBe('next');
	});

	it('demands the version of the tag, or the one that the image names', async () => {
		expect(await expectedVersion('3.3.0', async () => '2.41.1')).toBe('3.3.0');
		expect(await expectedVersion('next', async () => '2.42.0\n')).toBe('2.42.0');
	});
});
