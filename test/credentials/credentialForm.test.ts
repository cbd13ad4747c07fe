/** What a person sees of the credential, and what n8n does with it. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { LeadGenPublishingApi } from '../../credentials/LeadGenPublishingApi.credentials';

it('asks for address and key, hides the key, and leaves two words to be found out', () => {
	const { properties } = new LeadGenPublishingApi();
	expect(
		properties.map(({ name, type, required, typeOptions, default: value }) => [
			...[name, type, required ?? false, typeOptions?.password ?? false, value],
		]),
	).toEqual([
		['baseUrl', 'string', true, false, ''],
		['apiKey', 'string', true, true, ''],
		['setWords', 'boolean', false, false, false],
		['serviceWord', 'string', false, false, ''],
		['networkWord', 'string', false, false, ''],
	]);
});

it('leads to what the README says of it', () => {
	const { documentationUrl } = new LeadGenPublishingApi();
	expect(documentationUrl).toMatch(
		/^https:\/\/github\.com\/.+\/n8n-nodes-leadgen-publishing#credentials$/,
	);
});

it('has its icons beside the nodes', () => {
	const { icon } = new LeadGenPublishingApi();
	if (typeof icon === 'string') throw new Error('It has one icon for both themes');
	for (const file of [icon.light, icon.dark]) {
		expect(file).toMatch(/^file:/);
		const path = join(__dirname, '../../credentials', file.slice('file:'.length));
		expect([path, existsSync(path)]).toEqual([path, true]);
	}
	expect(icon.light).not.toBe(icon.dark);
});

it('is tested by one request that follows no redirect, and may be refused in words', () => {
	const { request, rules = [] } = new LeadGenPublishingApi().test;
	expect(request).toMatchObject({ url: '/me', disableFollowRedirect: true });
	const codes = rules.flatMap(({ type, properties }) =>
		type === 'responseCode' ? [properties.value] : [],
	);
	expect(codes).toEqual([401, 403, 404, 405, 301, 302, 303, 307, 308, 429, 500, 502, 504, 503]);
	expect(rules.at(-1)).toMatchObject({
		type: 'responseSuccessBody',
		properties: { key: 'data', value: undefined },
	});
	expect(rules).toHaveLength(codes.length + 1);
});
