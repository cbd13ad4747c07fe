// What a run has observed about a doubt.

export type Observation =
	/** The observation that settles the doubt was made. */
	| { readonly kind: 'settled'; readonly saw: string }
	/** The service does what the code is for. */
	| { readonly kind: 'needed'; readonly saw: string }
	/** Nothing was observed, or not enough. */
	| { readonly kind: 'open'; readonly saw: string };

export const settled = (saw: string): Observation => ({ kind: 'settled', saw });
export const needed = (saw: string): Observation => ({ kind: 'needed', saw });
export const open = (saw: string): Observation => ({ kind: 'open', saw });
