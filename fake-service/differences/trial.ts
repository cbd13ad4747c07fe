// The records that a diagnosis makes to try the service: it marks them in what a user can see.

const MARK = /n8n-diagnosis-/;

interface Marked {
	readonly text?: unknown;
	readonly notes?: unknown;
	readonly keyword?: unknown;
}

export const isOfTrial = ({ text, notes, keyword }: Marked): boolean =>
	[text, notes, keyword].some((shown) => MARK.test(String(shown)));
