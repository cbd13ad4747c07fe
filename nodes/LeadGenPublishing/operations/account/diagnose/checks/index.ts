/** Everything that a diagnosis looks at. Another check is one more row in one of these tables. */
import type { Check } from '../check';
import { ACCESS } from './access';
import { CONNECTION } from './connection';
import { PAGES } from './lists';
import { POSTS } from './posts';
import { RECORDS } from './records';
import { NEVER_TRIED, NOT_WRITTEN, WRITING } from './writing';

const READING: readonly Check[] = [...CONNECTION, ...ACCESS, ...PAGES, ...POSTS, ...RECORDS];

/** `isWritten`: whether a person has turned the writes on. */
export const checksFor = (isWritten: boolean): readonly Check[] => [
	...READING,
	...(isWritten ? WRITING : [NOT_WRITTEN]),
	...NEVER_TRIED,
];
