// Every example against the nodes of a real n8n, and run in it: wholly where n8n and the fake
// service are all it needs, otherwise up to what it would have sent to others.

import type { INodeTypeDescription } from 'n8n-workflow';

import { readExample } from '../../scripts/n8n/examples';
import { CREDENTIAL_TYPE } from '../../scripts/n8n/n8nApi';
import { isOurs, readExamples } from '../docs/example';
import { parameterProblems } from '../docs/parameters';
import { expectFilled } from './examples/filled';
import { gallery, run, stored, rowsOf } from './examples/runs';
// First, so that what follows runs what the editor has made of the files.
import './examples/editor';
import './examples/agencies';
import './examples/calendarOfSheet';
import './examples/handingOver';
import './examples/leads';
import './examples/posts';
import './examples/programs';

/** What n8n has renewed so recently that the n8n of many users does not know it: 1.4 came with 2.41. */
const STILL_USUAL = new Map([
	['n8n-nodes-base.executeWorkflow', 1.3],
	// 2 has one secret for all clients: it is in the credential.
	['n8n-nodes-base.crypto', 1],
]);

it('the nodes of n8n have every parameter that the examples set, none in an old version', async () => {
	const all = (await gallery().api.nodeDescriptions()) as unknown as INodeTypeDescription[];
	const problems = readExamples().flatMap(({ file, nodes }) =>
		nodes
			.filter((node) => !isOurs(node))
			.flatMap((node) => {
				const versions = all.filter(({ name }) => name === node.type);
				const description = versions.find(({ version }) =>
					[version].flat().includes(node.typeVersion),
				);
				if (description === undefined) return [`${file}: "${node.name}" is of no known version`];
				const newest =
					STILL_USUAL.get(node.type) ?? Math.max(...versions.flatMap(({ version }) => version));
				const known = (description.credentials ?? []).map(({ name }) => name);
				const strange = Object.keys(node.credentials ?? {}).filter((one) => !known.includes(one));
				return [
					...parameterProblems(node, description),
					...(newest === node.typeVersion ? [] : [`is older than ${newest}`]),
					...strange.map((name) => `takes no credential ${name}`),
				].map((problem) => `${file}: "${node.name}" ${problem}`);
			}),
	);
	expect(problems).toEqual([]);
});

it('a credential is taken by itself where one has the name that the example gives', async () => {
	const { api, ids } = gallery();
	const example = readExample('read-leads');
	const ours = example.nodes.find(({ credentials }) => credentials?.[CREDENTIAL_TYPE]);
	const name = ours?.credentials?.[CREDENTIAL_TYPE]?.name ?? '';
	const { nodes } = await api.createWorkflow(example);
	const taken = nodes.find((node) => node.name === ours?.name)?.credentials;
	expect(taken).toEqual({ [CREDENTIAL_TYPE]: { id: ids.own, name } });
});

it('the weekly report has every lead magnet and published post', async () => {
	const { own } = gallery().service.world;
	const { output } = await run('weekly-report', 'Monday Morning');
	expect(output('Name the Magnet')).toHaveLength(own.leadMagnets.size);
	const published = own.posts.toArray().filter(({ status }) => status === 'published');
	expect(output('Name the Post')).toHaveLength(published.length);
	const mails = output('Send the Report');
	expect(mails).toHaveLength(1);
	expectFilled(mails);
	expect(String(mails[0]?.html).match(/<table/g)).toHaveLength(2);
	expect(String(mails[0]?.html)).not.toContain('There are none');
});

it('what a diagnosis finds has a row for each check, which changes with it', async () => {
	const { service } = gallery();
	await run('create-crm-tables', 'Run Once');
	const workflow = await stored('is-everything-all-right');
	const morning = async () => (await run(workflow, 'Every Morning')).output('Note the Change');
	const scopes = async () => (await rowsOf('Checks')).filter(({ check }) => check === 'Scopes');
	expect((await morning()).length).toBeGreaterThan(5);
	expect(await scopes()).toMatchObject([{ result: 'ok' }]);

	const fault = { kind: 'error', status: 403, code: 'forbidden' } as const;
	service.faults.add(fault, { path: '/activity', count: Infinity });
	const changed = (await morning()).map(({ check }) => check);
	expect(changed).toContain('Scopes');
	expect(await scopes()).toMatchObject([
		{ result: 'needs_you', do_next: expect.any(String) as string },
	]);
	expect(await morning()).toEqual([]);

	service.faults.clear();
	expect((await morning()).map(({ check }) => check).sort()).toEqual(changed.sort());
	expect(await scopes()).toMatchObject([{ result: 'ok' }]);
});
