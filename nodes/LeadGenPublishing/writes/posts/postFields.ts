/**
 * What is true of each field of a post, by its name in the service. `document.test.ts` compares the rows
 * with the API document, so that a new field gets one. A custom field has no row. Pure.
 */
interface PostField {
	/** What errors call it. */
	readonly called: string;
	/** What becomes of it when the post is published. The plan no longer matters then. */
	readonly ifPublished: 'changes' | 'stays' | 'wasPlan';
	/** *Create* with a unique key compares it with the post that exists. */
	readonly isCompared?: true;
	/** Nobody outside sees it, so a model may change it. */
	readonly isInternal?: true;
}

export const POST_FIELDS: ReadonlyMap<string, PostField> = new Map(
	Object.entries<PostField>({
		text: { called: 'text', ifPublished: 'changes', isCompared: true },
		images: { called: 'images', ifPublished: 'stays', isCompared: true },
		document_url: { called: 'document', ifPublished: 'stays', isCompared: true },
		document_type: { called: 'document type', ifPublished: 'stays' },
		status: { called: 'status', ifPublished: 'wasPlan', isCompared: true },
		scheduled_at: { called: 'scheduled time', ifPublished: 'wasPlan', isCompared: true },
		followups: { called: 'follow-ups', ifPublished: 'stays' },
		notes: { called: 'notes', ifPublished: 'changes', isInternal: true },
		template_id: { called: 'template', ifPublished: 'changes', isInternal: true },
		theme_id: { called: 'theme', ifPublished: 'changes', isInternal: true },
	}),
);

/** A post has either images or a document. */
export const MEDIA_FIELDS: readonly string[] = ['images', 'document_url'];

export const isOfPlan = (field: string): boolean =>
	POST_FIELDS.get(field)?.ifPublished === 'wasPlan';

/** Whether it can no longer be changed once the post is published. */
export const isFixedThen = (field: string): boolean =>
	POST_FIELDS.get(field)?.ifPublished === 'stays';

export const isComparedOnCreate = (field: string): boolean =>
	POST_FIELDS.get(field)?.isCompared === true;

export const isInternal = (field: string): boolean => POST_FIELDS.get(field)?.isInternal === true;

export const calledInErrors = (fields: readonly string[]): string =>
	fields.map((field) => POST_FIELDS.get(field)?.called ?? field).join(', ');
