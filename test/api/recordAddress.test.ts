/** A pasted address stands for the record that it names, and for no other. */
import { idInAddress, isAddress } from '../../nodes/LeadGenPublishing/api/endpoints';

const CLIENT = '6f1c2f0e-7d4b-4a53-9d53-0c1f0a6c1b11';
const RECORD = '0a6c1b11-2f0e-4a53-9d53-6f1c7d4b0c1f';
const BASE = 'https://api.example.com/api/v1';

it.each([
	['postId', `${BASE}/posts/${RECORD}`, RECORD],
	['postId', `${BASE}/posts/${RECORD.toUpperCase()}/engagement?x=1`, RECORD.toUpperCase()],
	['postId', `${BASE}/clients/${CLIENT}/posts/${RECORD}`, RECORD],
	['clientId', `${BASE}/clients/${CLIENT}/posts/${RECORD}`, CLIENT],
	['leadMagnetId', `${BASE}/lead-magnets/${RECORD}#top`, RECORD],
	['postId', `https://app.example.com/editor/${RECORD}`, RECORD],
	['postId', `https://app.example.com/?post=${RECORD}`, RECORD],
	// IDs of other records, or several of which none is named.
	['leadMagnetId', `${BASE}/posts/${RECORD}`, undefined],
	['postId', `${BASE}/clients/${CLIENT}`, undefined],
	['postId', `https://app.example.com/${CLIENT}/${RECORD}`, undefined],
	['postId', `${BASE}/posts/${RECORD}/posts/${CLIENT}`, undefined],
	['postId', `${BASE}/posts/${RECORD}0`, undefined],
	['postId', `${BASE}/posts`, undefined],
	['workspaceId', `${BASE}/posts/${RECORD}`, undefined],
])('%s in %s is %s', (parameter, address, expected) => {
	expect(idInAddress(address, parameter)).toBe(expected);
});

it.each([
	['https://x.example', true],
	['HTTP://x.example', true],
	[RECORD, false],
	[`see https://x.example/${RECORD}`, false],
])('%s is an address: %s', (text, expected) => {
	expect(isAddress(text)).toBe(expected);
});
