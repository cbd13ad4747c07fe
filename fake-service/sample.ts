// People, posts and messages that look like life. All of it is made up, and repeatable by seed.

import { mix, pick, uuidFrom } from './random';
import type { Activity, Lead } from './types';

const FIRST =
	'Amara, Björn, Chiara, Dmitri, Elif, Farah, Gustavo, Hana, Ibrahim, Jana, Kofi, Leilani, Marek, Noémie, Oluwaseun, Priya, Quentin, Rosa, Søren, Tomoko'.split(
		', ',
	);
const LAST =
	"Abernathy, Bauer, Castellano, Dubois, Eriksen, Ferreira, Grünwald, Haddad, Iyer, Jørgensen, Kowalski, Lindqvist, Moreau, Nakamura, O'Brien, Petrović, Quispe, Rossi, Schäfer, Tanaka, van der Meer".split(
		', ',
	);
const ROLES = ['Head of Growth', 'Founder', 'VP Sales', 'Marketing Lead', 'RevOps Manager', 'CEO'];
const COMPANIES = ['Northwind Labs', 'Helio Studio', 'Papaya & Co', 'Kestrel', 'Umbra Analytics'];
export const KEYWORDS = ['GUIDE', 'PLAYBOOK', 'CHECKLIST', 'AUDIT', 'TEMPLATE'] as const;
const QUALIFICATION = ['qualified', 'unqualified', 'pending'] as const;
const FORMS = ['Playbook download', 'Audit request', null] as const;
const COMMENTS = [
	'{k} please! 🙏',
	'Love this. {k}',
	'“{k}” – would like to see how you did the outreach part',
	'{k}\nThanks for sharing, this is gold',
	'Interested: {k}',
];
const MESSAGES = ['Hey, you mentioned the {k}?', 'Could you send me the {k} again? Link expired.'];

interface Person {
	name: string;
	slug: string;
	headline: string;
	company: string;
}

function personAt(seed: number, index: number): Person {
	const first = pick(FIRST, mix(seed, index * 4));
	const last = pick(LAST, mix(seed, index * 4 + 1));
	const company = pick(COMPANIES, mix(seed, index * 4 + 2));
	const slug = inAddress(`${first} ${last}`);
	const headline = `${pick(ROLES, mix(seed, index * 4 + 3))} at ${company}`;
	return { name: `${first} ${last}`, slug: `${slug}-${index}`, headline, company };
}

/** Letters that do not fall apart into one of these and an accent. */
const SPELLED: Readonly<Record<string, string>> = {
	ø: 'o',
	ł: 'l',
	đ: 'd',
	ß: 'ss',
	æ: 'ae',
	œ: 'oe',
};

/** As a name stands in an address: "Søren van der Meer" is "soren-van-der-meer". */
const inAddress = (name: string): string =>
	name
		.toLowerCase()
		.replace(/[øłđßæœ]/g, (letter) => SPELLED[letter] ?? letter)
		.normalize('NFD')
		.replace(/[^a-z ]/g, '')
		.replace(/ +/g, '-');

export function leadAt(seed: number, index: number, at: string): Lead {
	const person = personAt(seed, index);
	const dice = mix(seed ^ 0xabcdef, index);
	const domain = `${person.company.toLowerCase().replace(/[^a-z]/g, '')}.example`;
	const hasIntent = (dice & 12) === 12;
	return {
		id: uuidFrom(seed ^ 0x1ead, index),
		network_profile_url: `https://network.example/in/${person.slug}`,
		name: person.name,
		emails: {
			submitted: dice & 1 ? `${person.slug}@mail.example` : null,
			work: dice & 2 ? `${person.slug}@${domain}` : null,
			personal: (dice & 48) === 48 ? `${person.slug}@home.example` : null,
		},
		latest_keyword: pick(KEYWORDS, dice >>> 8),
		has_intent: hasIntent,
		qualification_status: pick(QUALIFICATION, dice >>> 12),
		headline: dice & 64 ? person.headline : null,
		submitted_form_name: pick(FORMS, dice >>> 16),
		sources: dice & 128 ? ['comment'] : ['comment', 'message'],
		intent_signals: signalsOf(hasIntent),
		created_at: at,
		updated_at: at,
	};
}

const signalsOf = (hasIntent: boolean): string[] => (hasIntent ? ['asked_for_pricing'] : []);

/** Nobody asks for prices without intent, so that a change of one changes the other. */
export const withSignals = (given: Partial<Lead>): Partial<Lead> =>
	given.has_intent === undefined
		? given
		: { intent_signals: signalsOf(given.has_intent === true), ...given };

export function activityAt(seed: number, index: number, at: string): Activity {
	const person = personAt(seed, index);
	const dice = mix(seed ^ 0x51deb0, index);
	const keyword = pick(KEYWORDS, dice);
	const isComment = dice % 4 !== 0;
	const matched = (dice & 24) !== 0;
	const text = isComment ? pick(COMMENTS, dice >>> 6) : pick(MESSAGES, dice >>> 6);
	const ids: Activity['metadata'] = isComment
		? { comment_id: uuidFrom(seed ^ 0xc0, index) }
		: { message_id: uuidFrom(seed ^ 0x35, index), chat_id: uuidFrom(seed ^ 0x77, index >> 2) };
	return {
		id: uuidFrom(seed ^ 0xac71, index),
		source: isComment ? 'comment' : 'message',
		author_name: person.name,
		author_profile_url: `https://network.example/in/${person.slug}`,
		content: matched ? text.replace('{k}', keyword) : 'Great post!',
		keyword: matched ? keyword : null,
		status: matched ? 'matched' : 'ignored',
		metadata: { post_id: uuidFrom(seed ^ 0x90057, index % 5), ...ids },
		created_at: at,
		updated_at: at,
	};
}

export const POST_TEXTS = [
	"Three things I learned from 200 cold conversations.\n\nComment GUIDE and I'll send you the notes.",
	'We stopped gating our best content. Here is what happened to pipeline 👇',
	'Hiring is a sales process. Treat it like one.',
	'The PLAYBOOK we use to onboard a client in five days is yours: comment PLAYBOOK.',
] as const;
