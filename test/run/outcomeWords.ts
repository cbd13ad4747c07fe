/** How the node says that it does not know what became of a write. */
export const UNKNOWN = /not known whether|cannot tell whether|may have (succeeded|been updated)/i;
