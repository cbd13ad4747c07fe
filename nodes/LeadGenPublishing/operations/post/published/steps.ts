import type { ApiFailure } from '../../../api/failure';

/** What to do about a reason of part 7.2; other failures are reported, after a read if uncertain. */
type Step = 'showRefreshed' | 'freshEtag' | 'watch' | 'stop';
const STEPS: Readonly<Record<string, Step>> = {
	provider_state_refreshed: 'showRefreshed',
	stale_provider_version: 'freshEtag',
	mutation_in_progress: 'watch',
	provider_ambiguous: 'watch',
	idempotency_conflict: 'stop',
	team_boost_spacing_conflict: 'stop',
	provider_attachment_identity_unavailable: 'stop',
};

export const stepFor = ({ facts }: ApiFailure): Step | undefined => STEPS[facts.reason ?? ''];
