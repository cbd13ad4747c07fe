/**
 * `npm run simulate -- --worlds [names…] [--engine COMMIT] [--seeds COUNT] [--seed ONE] [--mode MODE]
 * [--save FILE]`: plays the named worlds, or all that do not take minutes, in one process per core.
 * The file gets what came of each play, one a line; what it holds already is not played again.
 */
import { fork } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';

import { WORLDS } from './catalogue/index';
import { loadEngine } from './engines';
import { modesOf, offers, playWorld, type Played } from './playWorld';
import { MODES, type Mode } from './playedN8n';
import type { TriggerClass } from './playedNode';
import { failureOf, tableOf } from './report';
import type { World } from './world';

interface Task {
	readonly world: string;
	readonly mode: Mode;
	readonly seed: number;
}

const nameOf = ({ world, mode, seed }: Task): string => `${world} ${mode} ${seed}`;

const savedIn = (file: string): Played[] =>
	existsSync(file)
		? readFileSync(file, 'utf8')
				.split('\n')
				.filter((line) => line !== '')
				.map((line) => JSON.parse(line) as Played)
		: [];

const USUAL_SEEDS = 3;
const PROGRESS_EVERY = 50;

function readArguments(given: readonly string[]) {
	const { values, positionals } = parseArgs({
		args: [...given],
		allowPositionals: true,
		options: {
			engine: { type: 'string' },
			seeds: { type: 'string' },
			seed: { type: 'string' },
			mode: { type: 'string' },
			save: { type: 'string' },
		},
	});
	return { ...values, names: positionals };
}

function chosenWorlds(names: readonly string[]): readonly World[] {
	if (names.length === 0) return WORLDS.filter(({ isLong }) => isLong !== true);
	for (const name of names)
		if (!WORLDS.some((world) => world.name.includes(name)))
			throw new Error(`No world is called "${name}"`);
	return WORLDS.filter((world) => names.some((name) => world.name.includes(name)));
}

function tasksOf(
	worlds: readonly World[],
	{ seed, seeds, mode }: { seed?: string; seeds?: string; mode?: string },
): Task[] {
	return worlds.flatMap((world) => {
		const count = seeds === undefined ? (world.seeds ?? USUAL_SEEDS) : Number(seeds);
		const all =
			seed === undefined ? Array.from({ length: count }, (_, at) => at + 1) : [Number(seed)];
		const modes =
			mode === undefined ? modesOf(world) : MODES.filter((one) => mode.split(',').includes(one));
		return modes.flatMap((one) =>
			all.map((each) => ({ world: world.name, mode: one, seed: each })),
		);
	});
}

/** Runs in its own process, and plays the worlds that it is sent. */
function playTasks(trigger: TriggerClass): void {
	process.on('message', (task: Task) => {
		const world = WORLDS.find(({ name }) => name === task.world);
		if (world === undefined) throw new Error(`No world is called "${task.world}"`);
		void playWorld(world, trigger, task).then((played) => process.send?.(played));
	});
	process.send?.('ready');
}

async function playInProcesses(tasks: readonly Task[], add: (played: Played) => void) {
	const left = [...tasks];
	const work = async (): Promise<void> =>
		await new Promise((resolve, reject) => {
			const env = { ...process.env, PLAYS_SHARES: '1' };
			const worker = fork(process.argv[1] ?? '', process.argv.slice(2), {
				execArgv: process.execArgv,
				env,
			});
			const give = (): void => {
				const task = left.shift();
				if (task === undefined) worker.kill();
				else worker.send(task);
			};
			worker.on('message', (message: Played | 'ready') => {
				if (message !== 'ready') add(message);
				give();
			});
			worker.once('exit', (code) =>
				code === null ? resolve() : reject(new Error(`A process ended with ${code}`)),
			);
		});
	await Promise.all(Array.from({ length: Math.min(availableParallelism(), tasks.length) }, work));
}

export async function simulateWorlds(given: readonly string[]): Promise<void> {
	const { engine, names, save, ...which } = readArguments(given);
	const trigger = await loadEngine(engine);
	if (process.env.PLAYS_SHARES !== undefined) return playTasks(trigger);
	const chosen = chosenWorlds(names);
	const offered = chosen.filter(({ needs = [] }) => offers(trigger, needs));
	const played: Played[] = save === undefined ? [] : savedIn(save);
	const isPlayed = new Set(played.map(nameOf));
	const all = tasksOf(offered, which);
	const tasks = all.filter((task) => !isPlayed.has(nameOf(task)));
	await playInProcesses(tasks, (one) => {
		played.push(one);
		if (played.length % PROGRESS_EVERY === 0)
			console.error(`${played.length} of ${all.length} plays`);
		if (save !== undefined) appendFileSync(save, `${JSON.stringify(one)}\n`);
		if (one.broken.length > 0) console.error(failureOf(one));
	});
	const place = new Map(offered.map(({ name }, at) => [name, at]));
	played.sort((one, other) => (place.get(one.world) ?? 0) - (place.get(other.world) ?? 0));
	const isOffered = new Set(offered);
	const notOffered = chosen.filter((world) => !isOffered.has(world)).map(({ name }) => name);
	console.log(tableOf(played, notOffered));
	const bad = new Set(played.filter(({ broken }) => broken.length > 0).map(({ world }) => world));
	console.log(
		`${offered.length} worlds in ${played.length} plays with the engine of ${engine ?? 'this tree'}, ${bad.size} worlds fail`,
	);
	process.exitCode = bad.size > 0 || played.length < all.length ? 1 : 0;
}
