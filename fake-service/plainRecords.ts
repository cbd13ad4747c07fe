// A post and a lead magnet with everything in place, for tests that care about one field only.

import type { ServiceClock } from './clock';
import type { LeadMagnet, Post, PostSecrets } from './types';

/** Where they are made. */
interface Place {
	readonly clock: ServiceClock;
	uuid(): string;
}

export type PostChange = Partial<Omit<Post, 'hidden'>> & { hidden?: Partial<PostSecrets> };

export function plainPost(
	world: Place,
	account: { id: string; workspaceId: string },
	given: PostChange,
): Post {
	const at = world.clock.iso();
	const { hidden, ...shown } = given;
	return {
		id: world.uuid(),
		text: 'A post',
		status: 'draft',
		scheduled_at: shown.status === 'scheduled' ? world.clock.iso(86_400_000) : null,
		theme_id: null,
		template_id: null,
		images: [],
		document_url: null,
		document_type: null,
		notes: null,
		followups: null,
		team_boost: false,
		workspace_id: account.workspaceId,
		created_at: at,
		updated_at: at,
		...shown,
		hidden: {
			account: account.id,
			version: 1,
			canEdit: true,
			canDelete: true,
			reason: null,
			capabilities: 'object',
			boostEligible: true,
			pending: null,
			...hidden,
		},
	};
}

export function plainLeadMagnet(world: Place, given: Partial<LeadMagnet>): LeadMagnet {
	const at = world.clock.iso();
	return {
		id: world.uuid(),
		status: 'active',
		delivery_mode: 'external_link',
		keyword: 'GUIDE',
		resource_name: 'The outreach guide',
		resource_link: 'https://resources.example/guide.pdf',
		description: null,
		text_template: 'Here you go: {{resource_link}}',
		linked_posts: [],
		hosted_page: null,
		cta_label: null,
		cta_url: null,
		created_at: at,
		updated_at: at,
		...given,
	};
}
