/** How the node says what became of a write. */

/** "Nothing was changed." */
export const NOT_DONE =
	/nothing was|left as it was|did not (update|change)|was not (deleted|updated|changed)|does not show the new text|not carried out/i;

export const UNKNOWN = /not known whether|cannot tell whether|may have (succeeded|been updated)/i;
