export interface NoticeDetails {
	readonly type?: 'info' | 'warning' | 'danger';
	/** Hints with the same key are shown as one, with `{count}` in its summary. */
	readonly group?: { readonly key: string; readonly summary: string; readonly label: string };
}

/** Shows a hint next to the output. n8n counts the hints of one group and shows them as one. */
export type Notice = (message: string, details?: NoticeDetails) => void;
