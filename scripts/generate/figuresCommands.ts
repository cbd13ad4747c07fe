/** The commands whose figures are kept, each with its page. */

const PAGE = 'docs/figures.md';

export const COMMANDS: ReadonlyArray<readonly [command: string, page: string]> = [
	['npm run simulate', PAGE],
	['npm run simulate -- --writes', 'docs/publishing.md'],
	['npm run test:plugs', PAGE],
	['npm run test:plugs -- --mode memory', PAGE],
	['npm run test:plugs -- --mode memory --gaps 5 --redeliver', PAGE],
	['npm run test:plugs -- --writes', PAGE],
	['npm run test:plugs -- --writes --no-keys', PAGE],
	['npm run test:queue', PAGE],
	['npm run test:matrix', PAGE],
	['npm run test:soak', PAGE],
];
