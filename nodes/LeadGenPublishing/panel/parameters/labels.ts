/** Makes the label of a parameter from its name, so that errors name it as the user sees it. */
const ACRONYMS: Readonly<Record<string, string>> = {
	id: 'ID',
	ids: 'IDs',
	url: 'URL',
	cta: 'CTA',
	etag: 'ETag',
};

/** Labels that cannot be derived from the name: a locator is named after its record, not its ID. */
const SET_LABELS: Readonly<Record<string, string>> = {
	afterRestart: 'After a Restart',
	binaryPropertyName: 'Input Binary Field',
	clientId: 'Client',
	clientIds: 'Client Names or IDs',
	completeCheckEvery: 'Complete Check Every (Hours)',
	confirmPublished: 'Delete Even If Published',
	duration: 'Duration (Minutes)',
	event: 'Trigger On',
	fileSize: 'File Size (Bytes)',
	interval: 'Interval (Minutes)',
	leadMagnetId: 'Lead Magnet',
	maxItemsPerPoll: 'Max Items per Poll',
	maxWaitSeconds: 'Max Wait (Seconds)',
	minimumGapMinutes: 'Minimum Gap (Minutes)',
	postId: 'Post',
	randomMinutes: 'Random Delay (Minutes)',
	share: 'Share of Clients',
	similarDays: 'Similar Within (Days)',
};

/** `ctaUrl` → "CTA URL": the label that the user sees. */
export function labelOf(name: string): string {
	const set = SET_LABELS[name];
	if (set !== undefined) return set;
	return name
		.replace(/([A-Z])/g, ' $1')
		.trim()
		.split(/[\s_]+/)
		.map((word) => ACRONYMS[word.toLowerCase()] ?? word.charAt(0).toUpperCase() + word.slice(1))
		.join(' ');
}
