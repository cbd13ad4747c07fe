/** What the contenders are called in tables and pictures. */
export const OURS = 'this package';
/** The same, before it knows the list. */
export const FIRST_READ = 'this package, first read';
export const HOME_MADE = 'HTTP Request + Remove Duplicates';
export const ID_LIST = 'id-list poller';
export const HTTP_REQUEST = 'HTTP Request';
export const TWO_REQUESTS = '2 plain requests';
export const BARE = 'undici';
export const HELPER = "n8n's helper alone";
export const BATCHING = 'HTTP Request, batched';
export const LOOPING = 'Loop Over Items + HTTP Request';
export const OURS_IN_MEMORY = 'this package, files in memory';
