/** What a list in the editor does when the service fails, where n8n shows nothing but a message. */
import { listed, postsOf, type Scene } from './scriptedList';

describe('an error', () => {
	const messageFor = async (scene: Scene): Promise<string> => {
		const error = await listed(scene).catch((thrown: unknown) => thrown);
		return (error as Error).message;
	};

	it('says in one text what to do, and who asked', async () => {
		expect(await messageFor({ statuses: [403] })).toMatch(/may not do this.*: No\. [A-Z]/);
	});

	it('of which nothing more is known ends with itself', async () => {
		const credentials = Promise.reject(new Error('The credential is gone'));
		expect(await messageFor({ credentials })).toBe('The credential is gone');
	});
});

describe('a service that is down for a moment', () => {
	beforeEach(() => void jest.useFakeTimers());
	afterEach(() => void jest.useRealTimers());

	const asking = async (scene: Scene) => {
		const records = postsOf(1);
		const settled = listed({ records, ...scene }).then(
			({ asked }) => asked.length,
			(thrown: unknown) => (thrown as Error).message,
		);
		await jest.advanceTimersByTimeAsync(60_000);
		return await settled;
	};

	it('is asked twice', async () => {
		expect(await asking({ statuses: [503] })).toBe(2);
		expect(await asking({ statuses: [503, 503] })).toMatch('HTTP 503');
	});

	it('is waited for, but not longer than five seconds', async () => {
		expect(await asking({ statuses: [503], retryAfter: '4' })).toBe(2);
		expect(await asking({ statuses: [503], retryAfter: '6' })).toMatch('HTTP 503');
	});
});
