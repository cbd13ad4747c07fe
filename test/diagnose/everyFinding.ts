/** One finding of each kind. */
import type { FailureFacts } from '../../nodes/LeadGenPublishing/api/failure';
import type { CheckFinding } from '../../nodes/LeadGenPublishing/diagnose/judge/finding';
import { failure } from '../operations/itemScene';

const clients = [{ id: '6f1c2f0e-7d4b-4a53-9d53-0c1f0a6c1b11', name: 'Ada', hasAccess: true }];
const failed: FailureFacts = failure(500, {
	endpoint: 'lead.getAll',
	code: 'internal_error',
}).facts;
const looked = { read: 40, all: 300, hasMore: false };
const routes = ['GET /leads'];
const lists = ['lead.getAll', 'post.getAll'] as const;
const filters = ['hasEmail', 'source'] as const;
const scopes = ['leads:read', 'posts:read'];

/** A kind that is missing here does not compile. */
const BY_KIND: { readonly [Kind in CheckFinding['kind']]: CheckFinding & { readonly kind: Kind } } =
	{
		accepted: { kind: 'accepted', isAgency: true, scopes },
		agencyOnly: { kind: 'agencyOnly' },
		keyRejected: { kind: 'keyRejected' },
		unreachable: { kind: 'unreachable', failure: failed },
		inactive: { kind: 'inactive', status: 'past_due' },
		sameTime: { kind: 'sameTime', apartMs: 0 },
		otherTime: { kind: 'otherTime', apartMs: -600_000 },
		noTime: { kind: 'noTime' },
		scopesHeld: { kind: 'scopesHeld', scopes },
		nothingAllowed: { kind: 'nothingAllowed', scopes },
		scopesMissing: { kind: 'scopesMissing', scopes },
		scopesContradicted: { kind: 'scopesContradicted', scopes },
		clientsWork: { kind: 'clientsWork', looked },
		clientsUnread: { kind: 'clientsUnread', looked },
		clientsClosed: { kind: 'clientsClosed' },
		noClients: { kind: 'noClients' },
		noClientsNeeded: { kind: 'noClientsNeeded' },
		grantInactive: { kind: 'grantInactive', status: 'expired', clients },
		clientInactive: { kind: 'clientInactive', status: 'suspended', clients },
		clientRefused: { kind: 'clientRefused', clients },
		clientMissing: { kind: 'clientMissing', clients },
		chosenClosed: { kind: 'chosenClosed', clients },
		separate: { kind: 'separate', accounts: 3 },
		oneAccount: { kind: 'oneAccount' },
		mixed: { kind: 'mixed', lists, clients },
		sharedWithOwn: { kind: 'sharedWithOwn', lists, clients },
		allRead: { kind: 'allRead', reads: 12 },
		notOffered: { kind: 'notOffered', routes, status: 404, clients },
		rejected: { kind: 'rejected', routes, status: 400, clients },
		fails: { kind: 'fails', routes, failure: failed, clients },
		unsent: { kind: 'unsent', routes },
		complete: { kind: 'complete', lists },
		listChanging: { kind: 'listChanging', lists },
		listUntried: { kind: 'listUntried', lists },
		noList: { kind: 'noList' },
		offsetIgnored: { kind: 'offsetIgnored', lists },
		offsetInPages: { kind: 'offsetInPages', lists },
		unstable: { kind: 'unstable', lists },
		cutOff: { kind: 'cutOff', lists },
		skipped: { kind: 'skipped', lists },
		repeated: { kind: 'repeated', lists },
		blank: { kind: 'blank', lists },
		filtersWork: { kind: 'filtersWork', filters },
		filterChanging: { kind: 'filterChanging', filters },
		filterUntried: { kind: 'filterUntried', filters },
		noFilter: { kind: 'noFilter' },
		filterIgnored: { kind: 'filterIgnored', filters },
		filterIncomplete: { kind: 'filterIncomplete', filters },
		filterRefused: { kind: 'filterRefused', filters },
		notesListed: { kind: 'notesListed' },
		notesOneByOne: { kind: 'notesOneByOne' },
		notesNowhere: { kind: 'notesNowhere' },
		noPost: { kind: 'noPost' },
		behindCause: { kind: 'behindCause' },
		unjudged: { kind: 'unjudged' },
	};

export const EVERY_FINDING: readonly CheckFinding[] = Object.values(BY_KIND);
