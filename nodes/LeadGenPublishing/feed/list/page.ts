/** The pages that a reading gets, and how they overlap. */
import type { Page } from '../../api/pages';

export interface ListPage extends Page {
	/** The service's clock when it sent this page (ms), if it says so. */
	readonly servedAt?: number;
}

/** A page, or the service's refusal to show anything at this offset. */
export type PageAnswer =
	{ readonly kind: 'page'; readonly page: ListPage } | { readonly kind: 'refused' };

/**
 * How many records two pages share at least, so that a small shift between two requests hides
 * nothing.
 */
export const overlapOf = (size: number): number => Math.min(10, Math.ceil(size / 4));

/** How far the offset moves from one full page to the next. */
export const strideOf = (size: number): number => Math.max(1, size - overlapOf(size));
