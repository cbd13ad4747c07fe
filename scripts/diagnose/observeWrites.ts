// What the trial of writes says about the doubts that only writes can settle. Pure.

import { reasonOf } from '../../nodes/LeadGenPublishing/api/policy';
import { readSuccess } from '../../nodes/LeadGenPublishing/api/schemas';
import {
	isAnswered,
	isRefused,
	recordOf,
	recordsOf,
	httpStatusOf,
} from '../../nodes/LeadGenPublishing/diagnose/answers';
import type { Asked } from '../../nodes/LeadGenPublishing/diagnose/facts';
import type { DoubtName } from './doubts';
import { needed, open, settled, type Observation } from './observation';
import { CHANGED, type Trial } from './trial';

type OfWrites = Extract<
	DoubtName,
	'deleteMediaBody' | 'fastResponseFields' | 'emptySuccess' | 'storageRules' | 'lateWrites'
>;

const NOT_TRIED = open('needs --try-writes');

function deleteMediaBody({ file: { address, storing, deletions } }: Trial): Observation {
	if (storing?.isStored !== true) return open(`no file was stored (HTTP ${httpStatusOf(address)})`);
	const [inBody, inQuery] = deletions;
	if (inBody !== undefined && isAnswered(inBody))
		return settled('path in the body deletes the file');
	if (inQuery !== undefined && isAnswered(inQuery)) return needed('path in the query deletes it');
	return needed(
		`neither path in the body nor path in the query deletes it (HTTP ${inBody === undefined ? 0 : httpStatusOf(inBody)})`,
	);
}

const reasonIn = ({ outcome }: Asked): string | undefined =>
	outcome.kind === 'failed' ? reasonOf(outcome.failure) : undefined;

function fastResponseFields({ draft: { boost } }: Trial): Observation {
	if (boost === undefined) return open('there was no draft to try it on');
	const reason = reasonIn(boost);
	if (reason === 'invalid_fast_response_config') return settled('the name is known');
	if (isRefused(boost, 404)) return open('Fast Response is not enabled for this account');
	if (isRefused(boost, 400) && reason === undefined) return needed('the name is rejected');
	return open(`HTTP ${httpStatusOf(boost)}${reason === undefined ? '' : `, ${reason}`}`);
}

/** Writes that succeeded, in the order in which they were sent. */
const writesIn = ({ draft, file, magnet }: Trial): Asked[] =>
	[
		draft.creation,
		draft.change,
		...draft.deletions,
		file.address,
		...file.deletions,
		magnet?.creation,
		...(magnet?.deletions ?? []),
	]
		.filter((one) => one !== undefined)
		.filter(isAnswered);

function emptySuccess(trial: Trial): Observation {
	const bare = writesIn(trial).filter(
		({ attempts }) => readSuccess(attempts.at(-1)?.json) === undefined,
	);
	const names = [...new Set(bare.map(({ name }) => name))];
	if (writesIn(trial).length === 0) return open('no write succeeded');
	return bare.length > 0
		? needed(`without the envelope: ${names.join(', ')}`)
		: settled(`${writesIn(trial).length} writes returned the envelope`);
}

function storageRules({ file: { storing } }: Trial): Observation {
	if (storing === undefined) return open('there was no upload URL');
	return storing.isStored
		? settled('a PUT without the token stores the file')
		: needed(`a PUT is rejected (HTTP ${storing.status ?? 0})`);
}

function lateWrites({ draft }: Trial): Observation {
	const { creation, listed, read, changed, deletions, after, sent } = draft;
	if (!isAnswered(creation)) return open(`no draft was created (HTTP ${httpStatusOf(creation)})`);
	const id = recordOf(creation)?.id;
	const late = [
		listed !== undefined && recordsOf(listed).some((post) => post.id === id) ? '' : 'the list',
		read !== undefined && isAnswered(read) ? '' : 'a single read',
		changed === undefined || recordOf(changed)?.text === sent.text + CHANGED ? '' : 'a change',
		after !== undefined && isRefused(after, 404) && deletions.length === 1 ? '' : 'the deletion',
	].filter((text) => text !== '');
	return late.length === 0
		? settled('creation, change and deletion showed at once')
		: needed(`did not show at once: ${late.join(', ')}`);
}

export const ofWrites = (trial: Trial | undefined): Readonly<Record<OfWrites, Observation>> =>
	trial === undefined
		? {
				deleteMediaBody: NOT_TRIED,
				fastResponseFields: NOT_TRIED,
				emptySuccess: NOT_TRIED,
				storageRules: NOT_TRIED,
				lateWrites: NOT_TRIED,
			}
		: {
				deleteMediaBody: deleteMediaBody(trial),
				fastResponseFields: fastResponseFields(trial),
				emptySuccess: emptySuccess(trial),
				storageRules: storageRules(trial),
				lateWrites: lateWrites(trial),
			};
