/** All worlds, in the order of the table. */
import type { World } from '../world';
import { ACCOUNTS } from './accounts';
import { AWAY } from './away';
import { BACK_OFF } from './backOff';
import { BURSTS } from './bursts';
import { CHANGES } from './changes';
import { CHURN } from './churn';
import { CLIENT_CHANGES } from './clientChanges';
import { COST } from './cost';
import { CRASHES } from './crashes';
import { CREATION } from './creation';
import { ENDS } from './ends';
import { FAULTS } from './faults';
import { LIFE } from './life';
import { ODDITIES } from './oddities';
import { OFFSETS } from './offsets';
import { REMEMBERED } from './remembered';
import { CHANGING_FIELDS } from './changingFields';
import { REPLICAS } from './replicas';
import { THROTTLED } from './throttled';

export const WORLDS: readonly World[] = [
	...THROTTLED,
	...OFFSETS,
	...ENDS,
	...LIFE,
	...AWAY,
	...REPLICAS,
	...CHANGES,
	...BURSTS,
	...BACK_OFF,
	...CREATION,
	...REMEMBERED,
	...CHANGING_FIELDS,
	...ACCOUNTS,
	...CHURN,
	...CLIENT_CHANGES,
	...COST,
	...CRASHES,
	...FAULTS,
	...ODDITIES,
];
