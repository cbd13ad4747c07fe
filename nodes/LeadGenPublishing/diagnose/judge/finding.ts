/** What the rows of a diagnosis find. Each kind has its words in `words.ts`. Pure. */
import type { FailureFacts } from '../../api/failure';
import type { KnownClient } from '../answers';
import type { FilterTrial, ListName } from '../facts';

/** What is wrong with the pages of a list. */
export type ListDefect =
	'offsetIgnored' | 'offsetInPages' | 'unstable' | 'cutOff' | 'skipped' | 'repeated' | 'blank';

export type FilterDefect = 'filterIgnored' | 'filterIncomplete' | 'filterRefused';

interface OfClients {
	readonly clients: readonly KnownClient[];
	readonly says?: string;
}

/** How many of the clients that the agency can reach were read. */
export interface Looked {
	readonly read: number;
	readonly all: number;
	/** The list of clients goes on. */
	readonly hasMore: boolean;
}

type ConnectionFinding =
	| { readonly kind: 'accepted'; readonly isAgency?: boolean; readonly scopes?: readonly string[] }
	| { readonly kind: 'agencyOnly' }
	| { readonly kind: 'keyRejected'; readonly says?: string }
	| { readonly kind: 'unreachable'; readonly failure: FailureFacts; readonly says?: string }
	| { readonly kind: 'inactive'; readonly status: string };

type ClockFinding =
	| { readonly kind: 'sameTime' | 'otherTime'; readonly apartMs: number }
	| { readonly kind: 'noTime' };

type ScopesFinding =
	| { readonly kind: 'scopesHeld'; readonly scopes: readonly string[] }
	| {
			readonly kind: 'nothingAllowed' | 'scopesMissing' | 'scopesContradicted';
			readonly scopes: readonly string[];
			readonly says?: string;
	  };

type ClientsFinding =
	| { readonly kind: 'clientsWork'; readonly looked: Looked }
	| { readonly kind: 'clientsUnread'; readonly looked: Looked }
	| { readonly kind: 'noClients' | 'noClientsNeeded' | 'clientsClosed' }
	| (OfClients & { readonly kind: 'grantInactive'; readonly status: string })
	| (OfClients & { readonly kind: 'clientInactive'; readonly status: string })
	| (OfClients & { readonly kind: 'clientRefused' | 'clientMissing' | 'chosenClosed' });

type AccountsFinding =
	| { readonly kind: 'separate'; readonly accounts: number }
	| { readonly kind: 'oneAccount' }
	| (OfClients & { readonly kind: 'mixed' | 'sharedWithOwn'; readonly lists: readonly ListName[] });

type ReadsFinding =
	| { readonly kind: 'allRead'; readonly reads: number }
	| (OfClients & {
			readonly kind: 'notOffered' | 'rejected';
			readonly routes: readonly string[];
			readonly status: number;
	  })
	| (OfClients & {
			readonly kind: 'fails';
			readonly routes: readonly string[];
			readonly failure: FailureFacts;
	  })
	| { readonly kind: 'unsent'; readonly routes: readonly string[] };

type ListsFinding =
	| { readonly kind: 'complete'; readonly lists: readonly ListName[] }
	| { readonly kind: 'listChanging' | 'listUntried'; readonly lists: readonly ListName[] }
	| { readonly kind: 'noList' }
	| { readonly kind: ListDefect; readonly lists: readonly ListName[] };

type FiltersFinding =
	| { readonly kind: 'filtersWork'; readonly filters: ReadonlyArray<FilterTrial['filter']> }
	| {
			readonly kind: 'filterChanging' | 'filterUntried';
			readonly filters: ReadonlyArray<FilterTrial['filter']>;
	  }
	| { readonly kind: 'noFilter' }
	| { readonly kind: FilterDefect; readonly filters: ReadonlyArray<FilterTrial['filter']> };

type KeysFinding = {
	readonly kind: 'notesListed' | 'notesOneByOne' | 'notesNowhere' | 'noPost';
};

export type CheckFinding =
	| ConnectionFinding
	| ClockFinding
	| ScopesFinding
	| ClientsFinding
	| AccountsFinding
	| ReadsFinding
	| ListsFinding
	| FiltersFinding
	| KeysFinding
	/** A row before this one has found that nothing else can work. */
	| { readonly kind: 'behindCause' }
	/** A response that the row could not read. */
	| { readonly kind: 'unjudged' };

type OfKind<One, Kind> = One extends { readonly kind: infer Kinds }
	? Kind extends Kinds
		? One & { readonly kind: Kind }
		: never
	: never;

/** The findings of one kind. */
export type FindingOf<Kind extends CheckFinding['kind']> = OfKind<CheckFinding, Kind>;
