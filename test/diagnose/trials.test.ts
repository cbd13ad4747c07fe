/** What the judge step makes of the trial writes: each way in which a service can treat them. */
import type { JsonRecord } from '../../nodes/LeadGenPublishing/api/schemas';
import type {
	Asked,
	DraftTrial,
	FileTrial,
	MagnetTrial,
	Removal,
	Trial,
} from '../../nodes/LeadGenPublishing/diagnose/facts';
import { markerFor, noteWith } from '../../nodes/LeadGenPublishing/records/keyMarker';
import { BASE, judged, ME, page, refused, success } from './facts';

const MARK = 'n8n-diagnosis-1';
const ID = '6f1c2f0e-7d4b-4a53-9d53-0c1f0a6c1b11';
const TEXT = 'It <b>is</b> 🚀\nso.\nThe last line.';
const NOTES = noteWith('A note\nof lines.', [markerFor(MARK)]);
const STORED: JsonRecord = { id: ID, text: TEXT, notes: NOTES, status: 'draft' };

const get = (data: JsonRecord): Asked => success('post.get', { data });
const GONE: Removal = {
	deletions: [success('post.delete', {})],
	look: refused('post.get', 404),
	isGone: true,
};
const DRAFT: DraftTrial = {
	sent: { text: TEXT, notes: NOTES },
	creation: success('post.create', { data: STORED }),
	listed: [success('post.getAll', page([STORED]))],
	read: get(STORED),
	removal: GONE,
};

const items = (trial: Partial<Trial>) =>
	judged([BASE, ME], {
		writesWanted: true,
		trial: { mark: MARK, draft: DRAFT, left: [], ...trial },
	});
const seenBy = (check: string, trial: Partial<Trial>) =>
	items(trial)
		.filter((item) => item.check === `Write: ${check}`)
		.map(({ result, seen }) => `${result}: ${seen}`);

type Row = [what: string, trial: object, seen: string];
const rows = (check: string, cases: Row[], ofTrial: (trial: never) => Partial<Trial>) => {
	it.each(cases)(`${check}: %s`, (_, trial, seen) => {
		expect(seenBy(check, ofTrial(trial as never))).toEqual([seen]);
	});
};
const ofDraft = (more: Partial<DraftTrial>): Partial<Trial> => ({ draft: { ...DRAFT, ...more } });

rows(
	'draft',
	[
		['made', {}, 'ok: a draft was created'],
		[
			'without an ID',
			{ creation: success('post.create', { data: { text: TEXT } }) },
			'needs_you: the response has no id',
		],
		[
			'with another status',
			{ creation: success('post.create', { data: { id: ID, status: 'scheduled' } }) },
			'needs_you: status: scheduled',
		],
		['twice', { twins: [GONE] }, 'needs_you: 2 drafts out of one request'],
		[
			'that its response does not show',
			{ creation: success('post.create', { data: { id: ID } }) },
			'unusual: fields: id',
		],
	],
	ofDraft,
);

rows(
	'text',
	[
		['as sent', {}, `ok: ${TEXT.length} characters came back as sent`],
		[
			'in other spelling',
			{ read: get({ ...STORED, text: TEXT.replaceAll('\n', '\r\n') }) },
			`ok: ${TEXT.length + 2} characters of ${TEXT.length} came back`,
		],
		[
			'cut off',
			{ read: get({ ...STORED, text: TEXT.slice(0, 20) }) },
			`needs_you: 20 characters of ${TEXT.length} came back`,
		],
		['lost', { read: get({ ...STORED, text: 7 }) }, 'needs_you: no text came back'],
		[
			'without emojis',
			{ read: get({ ...STORED, text: TEXT.replace('🚀', '?') }) },
			`needs_you: ${TEXT.length - 1} characters of ${TEXT.length} came back, without emojis`,
		],
		[
			'without line breaks and brackets',
			{ read: get({ ...STORED, text: 'It is 🚀 so. The last line.' }) },
			`needs_you: 27 characters of ${TEXT.length} came back, without line breaks, angle brackets`,
		],
		[
			'with brackets as entities',
			{ read: get({ ...STORED, text: 'It &lt;is 🚀\nother' }) },
			`needs_you: 18 characters of ${TEXT.length} came back`,
		],
	],
	ofDraft,
);

it.each([
	['cut off', TEXT.slice(0, 20), true],
	['cut off with an ellipsis', `${TEXT.slice(0, 17)}...`, true],
	['replaced by a short one', '🚀<\n', false],
	['with something added', `${TEXT} Etc.`, false],
	['of the same length, with another end', `${TEXT.slice(0, -1)}X`, false],
])('a text that is %s counts as cut off: %s', (_, stored, isCut) => {
	const [item] = items(ofDraft({ read: get({ ...STORED, text: stored }) })).filter(
		({ check }) => check === 'Write: text',
	);
	expect(item?.means).toContain(isCut ? 'cuts long texts off' : 'does not store a text as');
});

rows(
	'notes',
	[
		['kept', {}, `ok: ${NOTES.length} characters came back`],
		[
			'in other spelling',
			{ read: get({ ...STORED, notes: `Another ${NOTES}` }) },
			`ok: ${NOTES.length} characters came back`,
		],
		[
			'hidden',
			{ read: get({ ...STORED, notes: null }) },
			`needs_you: of ${NOTES.length} characters nothing came back`,
		],
		[
			'cut off',
			{ read: get({ ...STORED, notes: NOTES.slice(0, -5) }) },
			`needs_you: the last line of ${NOTES.length} characters is not as it was sent`,
		],
	],
	ofDraft,
);

const list = (notes: unknown, offset = 0): Asked =>
	success('post.getAll', page([{ ...STORED, notes }]), { query: { limit: 100, offset } });
const EMPTY = success('post.getAll', page([]), { query: { limit: 100, offset: 0 } });
rows(
	'found again',
	[
		['at once', {}, 'ok: 1 page read'],
		['late', { listed: [EMPTY, list(NOTES)] }, 'unusual: 2 pages read'],
		['not', { listed: [EMPTY, EMPTY] }, 'needs_you: 2 pages read'],
		['without notes', { listed: [list(null)] }, 'unusual: 1 page read'],
		['with cut notes', { listed: [list('A note…')] }, 'unusual: 1 page read'],
		['with other notes', { listed: [list('A note')] }, 'needs_you: 1 page read'],
		['but not read', { read: refused('post.get', 404) }, 'needs_you: HTTP 404'],
		['and read late', { missed: refused('post.get', 404) }, 'unusual: first HTTP 404'],
	],
	ofDraft,
);

const NEW = `${TEXT} Changed.`;
const changed = (after: JsonRecord, told: JsonRecord = { text: NEW }) => ({
	change: {
		sent: { text: NEW },
		asked: success('post.update', { data: told }),
		after: get({ ...STORED, text: NEW, ...after }),
	},
});
rows(
	'change',
	[
		['shown', changed({}), 'ok: the text is the new one, the rest is as before'],
		['not shown', changed({ text: TEXT }, {}), 'needs_you: the text is the old one'],
		[
			'shown only by a read',
			changed({}, { text: TEXT }),
			'unusual: a read shows the new text, the response does not',
		],
		['that empties the notes', changed({ notes: null }), 'needs_you: now empty: notes'],
		['without the text in its response', changed({}, { id: ID }), 'unusual: fields: id'],
	],
	ofDraft,
);

const IMAGE = { content_type: 'image/png', max_file_size: 5_242_880, token: 'x' };
const ofFile = (more: { given?: JsonRecord } & Partial<FileTrial>): Partial<Trial> => {
	const { given = {}, ...rest } = more;
	const address = success('media.createUploadUrl', { data: { ...IMAGE, path: 'a.png', ...given } });
	return { file: { sent: { content_type: 'image/png' }, address, ...rest } };
};
rows(
	'upload',
	[
		['stored', { storing: { kind: 'stored' } }, 'ok: an image of one pixel was taken with PUT'],
		['without a path', { storing: { kind: 'unusable', lacks: 'path' } }, 'needs_you: no path'],
		[
			'without a URL',
			{ storing: { kind: 'unusable', lacks: 'url' } },
			'needs_you: no upload_url; fields: content_type, max_file_size, token, path',
		],
		['not signed', { storing: { kind: 'refused', status: 403 } }, 'needs_you: HTTP 403'],
		['refused', { storing: { kind: 'refused', status: 500 } }, 'needs_you: HTTP 500'],
		['without a response', { storing: { kind: 'refused' } }, 'needs_you: no response'],
	],
	ofFile,
);
rows(
	'upload result',
	[
		['as documented', {}, 'ok: type and limit are as documented'],
		[
			'of another type',
			{ given: { content_type: 'image/gif' } },
			'unusual: content_type is not as it was sent',
		],
		['with another limit', { given: { max_file_size: 7 } }, 'unusual: max_file_size: 7'],
		[
			'with a limit that is no number',
			{ given: { max_file_size: '5 MB' } },
			'unusual: max_file_size: no number',
		],
		['without a token', { given: { token: '' } }, 'unusual: no token'],
	],
	ofFile,
);

const MAGNET: MagnetTrial = {
	sent: { keyword: 'k', resource_name: 'n' },
	creation: success('leadMagnet.create', { data: { id: ID, keyword: 'k', resource_name: 'n' } }),
	removal: { ...GONE, look: refused('leadMagnet.get', 404) },
};
const ofMagnet = (more: Partial<MagnetTrial>): Partial<Trial> => ({
	magnet: { ...MAGNET, ...more },
});
rows(
	'lead magnet',
	[
		['made', {}, 'ok: a lead magnet was created'],
		[
			'without an ID',
			{ creation: success('leadMagnet.create', { data: { keyword: 'k' } }) },
			'needs_you: the response has no id',
		],
		[
			'other than sent',
			{ read: success('leadMagnet.get', { data: { id: ID, keyword: 'other' } }) },
			'unusual: other than sent: keyword',
		],
		[
			'other than sent in all',
			{ read: success('leadMagnet.get', { data: { id: ID, keyword: 'o', resource_name: 'o' } }) },
			'unusual: other than sent: keyword, resource_name',
		],
		...['keyword', 'resource_name'].map((name): [string, Partial<MagnetTrial>, string] => [
			`whose response shows only the ${name}`,
			{ creation: success('leadMagnet.create', { data: { id: ID, [name]: MAGNET.sent[name] } }) },
			'ok: a lead magnet was created',
		]),
		[
			'that its response does not show',
			{ creation: success('leadMagnet.create', { data: { id: ID } }) },
			'unusual: fields: id',
		],
	],
	ofMagnet,
);
rows(
	'archived lead magnet',
	[
		['hidden', {}, 'ok: it is not found'],
		[
			'still listed',
			{ listedAfter: success('leadMagnet.getAll', page([{ id: ID }])) },
			'unusual: the list still shows it',
		],
		[
			'still readable',
			{ removal: { ...GONE, look: success('leadMagnet.get', { data: { id: ID } }) } },
			'unusual: it can still be read',
		],
	],
	ofMagnet,
);

const REFUSED_DELETION = refused('post.delete', 500);
rows(
	'deletion',
	[
		['gone', {}, 'ok: a draft: gone'],
		[
			'gone after two tries',
			{ removal: { ...GONE, deletions: [REFUSED_DELETION, success('post.delete', {})] } },
			'ok: a draft: gone after 2 tries',
		],
		[
			'shown with another status',
			{ removal: { ...GONE, look: get({ ...STORED, status: 'deleted' }) } },
			'unusual: a draft: found with another status',
		],
		[
			'refused',
			{ removal: { deletions: [REFUSED_DELETION], isGone: false } },
			'needs_you: a draft: HTTP 500',
		],
		[
			'without effect',
			{ removal: { deletions: [success('post.delete', {})], look: get(STORED), isGone: false } },
			'needs_you: a draft: responded',
		],
	],
	ofDraft,
);
it('what is left is named once', () => {
	const left = [{ what: 'draft', name: ID, isCertain: true }] as const;
	const removal = { deletions: [REFUSED_DELETION], isGone: false };
	const named = items({ left, draft: { ...DRAFT, removal } });
	expect(
		named.filter((item) => item.left.includes(`draft ${ID}`)).map(({ check }) => check),
	).toEqual(['Write: deletion']);
	expect(seenBy('nothing left', { left, draft: { ...DRAFT, removal: undefined } })).toHaveLength(1);
	expect(seenBy('nothing left', {})).toEqual(['ok: nothing is left']);
});
