/**
 * Parameters that a workflow may store in another place than the one in which the form offers them.
 * n8n hands over only what is described, so such a place needs a description, too.
 */
import type { INodeProperties } from 'n8n-workflow';

/** At the top level: read if a workflow stores it there, but never shown. */
export const hiddenAtTop = ({
	displayName,
	name,
	default: fallback,
}: INodeProperties): INodeProperties => ({ displayName, name, type: 'hidden', default: fallback });

/** In a collection: not offered, and shown only if a workflow stores a text there. */
export const shownWhereStored = (field: INodeProperties): INodeProperties => ({
	...field,
	// Every text is one, also the empty one, which removes a field from the record. Not `includes`:
	// n8n 1 and the first of n8n 2 fail at it where nothing is stored.
	displayOptions: { show: { [field.name]: [{ _cnd: { gte: '' } }] } },
});
