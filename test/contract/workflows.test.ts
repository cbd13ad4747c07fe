/**
 * The CI workflows of the repository: what code by strangers may do in them, and who may publish.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { parse } from 'yaml';

import manifest from '../../package.json';

const FOLDER = join(__dirname, '..', '..', '.github', 'workflows');

interface Step {
	uses?: string;
	run?: string;
	env?: Record<string, string>;
	with?: Record<string, unknown>;
}

interface Job {
	needs?: string | string[];
	environment?: string;
	permissions?: Record<string, string>;
	'timeout-minutes'?: number;
	env?: object;
	steps: Step[];
}

interface Workflow {
	on: Record<string, unknown>;
	permissions?: object;
	env?: object;
	jobs: Record<string, Job>;
}

const RIGHTS = [{ contents: 'read' }, { 'id-token': 'write' }, { contents: 'write' }];
const files = readdirSync(FOLDER).map((file) => {
	const text = readFileSync(join(FOLDER, file), 'utf8');
	return { file, text, workflow: parse(text) as Workflow };
});
const jobs = files.flatMap(({ file, workflow }) =>
	Object.entries(workflow.jobs).map(([name, job]) => ({ name: `${file}: ${name}`, job })),
);
const steps = jobs.flatMap(({ name, job }) => job.steps.map((step) => ({ name, step })));

it('are only the known ones, with every file extension that GitHub reads', () => {
	expect(files.map(({ file }) => file).sort()).toEqual(['ci.yml', 'nightly.yml', 'publish.yml']);
});

it('use only actions by GitHub, each pinned to a commit, with its version in a comment', () => {
	const lines = files.flatMap(({ text }) =>
		text.split('\n').filter((line) => /\buses:/.test(line)),
	);
	expect(lines.length).toBe(steps.filter(({ step }) => step.uses !== undefined).length);
	for (const line of lines)
		expect(line).toMatch(/^\s+- uses: actions\/[a-z-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
	// The same version of each everywhere.
	const pinned = new Set(lines.map((line) => line.trim().split(' ')[2]));
	expect(new Set([...pinned].map((name) => name?.split('@')[0])).size).toBe(pinned.size);
});

it.each(files.map(({ file, workflow }) => [file, workflow] as const))(
	'%s gives no permission to all jobs, and runs no code of a stranger with rights',
	(_, workflow) => {
		expect(workflow.permissions).toEqual({});
		expect(Object.keys(workflow.on)).not.toEqual(
			expect.arrayContaining([expect.stringMatching(/pull_request_target|workflow_run|issue/)]),
		);
		expect(workflow.env).toBeUndefined();
	},
);

it.each(jobs.map(({ name, job }) => [name, job] as const))(
	'%s has no more rights than it needs, and ends',
	(_, job) => {
		expect(RIGHTS).toContainEqual(job.permissions);
		expect(job['timeout-minutes']).toBeGreaterThan(0);
	},
);

it('do not keep credentials in a checkout, know a token, or run text of others', () => {
	const checkouts = steps.filter(({ step }) => step.uses?.startsWith('actions/checkout@'));
	expect(checkouts.length).toBeGreaterThan(1);
	for (const { step } of checkouts)
		expect(step.with).toMatchObject({ 'persist-credentials': false });
	for (const { step } of steps) expect(step.run ?? '').not.toContain('${{');
	for (const { text } of files) expect(text).not.toMatch(/secrets\.|NODE_AUTH_TOKEN|NPM_TOKEN/);
});

describe('publishing', () => {
	const { workflow } = files.find(({ file }) => file === 'publish.yml') ?? {};
	const { build, publish, release } = workflow?.jobs ?? {};
	const commands = (job?: Job) => (job?.steps ?? []).flatMap(({ run }) => run ?? []);

	it('begins with a tag alone, and is allowed to one job, behind a protected environment', () => {
		expect(workflow?.on).toEqual({ push: { tags: ['v*'] } });
		const allowed = jobs.filter(({ job }) => job.permissions?.['id-token'] !== undefined);
		expect(allowed.map(({ name }) => name)).toEqual(['publish.yml: publish']);
		expect(publish).toMatchObject({ environment: 'npm', needs: 'build' });
		expect(publish?.permissions).toEqual({ 'id-token': 'write' });
	});

	it('runs nothing but npm, on the tarball that was built', () => {
		expect(publish?.steps.map(({ uses }) => uses?.split('@')[0])).toEqual([
			'actions/setup-node',
			'actions/download-artifact',
			undefined,
			undefined,
		]);
		expect(commands(publish)).toEqual([
			'echo "$SHA256  package.tgz" | sha256sum --check --strict',
			'npm publish ./package.tgz --provenance --access public --ignore-scripts',
		]);
		expect(publish?.steps[2]?.env).toEqual({ SHA256: '${{ needs.build.outputs.package }}' });
		expect(publish?.env).toBeUndefined();
	});

	it('lets one job write to the repository: it attaches the demo that was built', () => {
		const allowed = jobs.filter(({ job }) => job.permissions?.contents === 'write');
		expect(allowed.map(({ name }) => name)).toEqual(['publish.yml: release']);
		expect(release).toMatchObject({ needs: ['build', 'publish'] });
		expect(release?.steps.map(({ uses }) => uses?.split('@')[0])).toEqual([
			'actions/download-artifact',
			undefined,
			undefined,
		]);
		const [check, create, ...others] = commands(release);
		expect(check).toBe(
			'echo "$SHA256  n8n-nodes-leadgen-publishing-demo.tar.gz" | sha256sum --check --strict',
		);
		expect(create).toMatch(/^gh release create "\$GITHUB_REF_NAME" \S+-demo\.tar\.gz /);
		expect(others).toEqual([]);
		expect(release?.steps[1]?.env).toEqual({ SHA256: '${{ needs.build.outputs.demo }}' });
	});

	it('follows a build that was checked and packed completely', () => {
		const [tag, check, pictures, pack, ...others] = commands(build);
		expect(tag).toContain('test "$GITHUB_REF_NAME" = "v$(node -p');
		expect(check).toBe('.ci/run');
		expect(pictures).toBe('npm run docs -- --check-pictures');
		expect(pack?.split('\n').map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual([
			'npm start',
			'mkdir release',
			'mv n8n-nodes-leadgen-publishing.tgz',
			'mv .demo/n8n-nodes-leadgen-publishing-demo.tar.gz',
			'echo "package=$(sha256sum',
			'echo "demo=$(sha256sum',
			'',
		]);
		expect(others).toEqual([]);
		const uploads = (build?.steps ?? []).slice(-2);
		for (const { uses, with: given } of uploads) {
			expect(uses).toMatch(/^actions\/upload-artifact@/);
			expect(given).toMatchObject({ 'if-no-files-found': 'error' });
		}
		expect(uploads.map(({ with: given }) => [given?.name, given?.path])).toEqual([
			[publish?.steps[1]?.with?.name, 'release/package.tgz'],
			[release?.steps[0]?.with?.name, 'release/n8n-nodes-leadgen-publishing-demo.tar.gz'],
		]);
	});

	it('does not use a cache, because other runs could write to it', () => {
		for (const job of [build, publish]) {
			const [setUp] = (job?.steps ?? []).filter(({ uses }) => uses?.includes('/setup-node@'));
			expect(setUp?.with).toMatchObject({ 'package-manager-cache': false });
			expect(setUp?.with).not.toHaveProperty('cache');
		}
	});
});

it('run only scripts that exist', () => {
	const named = files.flatMap(({ text }) => [...text.matchAll(/npm run ([\w:-]+)/g)]);
	expect(named.length).toBeGreaterThan(9);
	for (const [, script = ''] of named) expect(Object.keys(manifest.scripts)).toContain(script);
});
