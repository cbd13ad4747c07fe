/** All worlds, in the order of the table. */
import type { World } from '../world';
import { THROTTLED } from './throttled';

export const WORLDS: readonly World[] = [...THROTTLED];
