/** What the node has found out about a failed write, in addition to the failure itself. `words/` has the sentences. */

/** How a read showed a post. */
export interface SeenPost {
	readonly status?: string;
	/** Why the service does not let it be changed. */
	readonly reason?: string;
}

export type Found =
	/** A later read of the record failed. */
	| { readonly kind: 'notRead'; readonly what?: 'post' }
	| { readonly kind: 'notFound' }
	| { readonly kind: 'postGone' }
	/** The post could be read afterwards, or not at all. */
	| { readonly kind: 'perhapsThere' }
	/** The post is still there, and no deletion of it is in progress. */
	| { readonly kind: 'notBeingDeleted' }
	| { readonly kind: 'notBeingUpdated' }
	| { readonly kind: 'deletionNotSeen'; readonly what: string; readonly isThere: boolean }
	| { readonly kind: 'valuesNotShown'; readonly fields: readonly string[] }
	/** Whether a later read shows the text that was sent. */
	| { readonly kind: 'newText'; readonly isShown: boolean }
	/** Its beginning, if it is long. Without a text, the post shows none. */
	| { readonly kind: 'textNow'; readonly text?: string; readonly isCut: boolean }
	| { readonly kind: 'postNow'; readonly post: SeenPost | undefined }
	| { readonly kind: 'stillChanging' }
	| { readonly kind: 'earlierHadOtherContent' }
	/** How an attempt ended that may have succeeded. */
	| { readonly kind: 'earlierAttempt'; readonly ended: string }
	| { readonly kind: 'notRepeated'; readonly problem: string }
	/** The change was completed, and its record could not be read again. */
	| { readonly kind: 'doneButUnread' }
	/** The record was searched for so many times. */
	| { readonly kind: 'lookedFor'; readonly times: number }
	| { readonly kind: 'notLookedForAfterwards'; readonly what: string; readonly why?: string }
	| { readonly kind: 'notLookedForBefore'; readonly what: string }
	/** The user says that the post has this status, so it was not read first. */
	| { readonly kind: 'statusAsStated'; readonly status: string }
	| { readonly kind: 'serviceSays'; readonly details: readonly string[] }
	| {
			readonly kind: 'fileAndLimit';
			readonly size: number;
			readonly limit: number;
			readonly contentType: string;
	  };
