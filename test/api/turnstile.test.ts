import { Turnstile, type Pace } from '../../nodes/LeadGenPublishing/api/turnstile';

/** A clock that stands still until it is told that a wait is over. */
function play({ atOnce = 2, apartMs = () => 1 }: Partial<Pace> = {}) {
	const waits: number[] = [];
	const over: Array<() => void> = [];
	const turnstile = new Turnstile({ atOnce, apartMs }, async (ms) => {
		waits.push(ms);
		await new Promise<void>((resolve) => over.push(resolve));
	});
	const passed: number[] = [];
	return {
		waits,
		passed,
		come: (count: number) => {
			for (let index = 0; index < count; index += 1) {
				const me = passed.length + index;
				void turnstile.pass().then(() => passed.push(me));
			}
		},
		settle: async () => await new Promise(setImmediate),
		tick: () => over.shift()?.(),
	};
}

it('lets two begin at once, and the others two by two, in the order of their coming', async () => {
	const { come, settle, tick, passed, waits } = play();
	come(5);
	await settle();
	expect(passed).toEqual([0, 1]);
	tick();
	await settle();
	expect(passed).toEqual([0, 1, 2, 3]);
	tick();
	await settle();
	expect(passed).toEqual([0, 1, 2, 3, 4]);
	expect(new Set(waits)).toEqual(new Set([1]));
});

it('keeps nobody waiting who comes when the moment is over', async () => {
	const { come, settle, tick, passed } = play();
	come(2);
	await settle();
	tick();
	await settle();
	come(1);
	await settle();
	expect(passed).toEqual([0, 1, 2]);
});

it('asks anew each time how long to wait, and not at all for no time', async () => {
	let apart = 0;
	const { come, settle, tick, passed, waits } = play({ atOnce: 1, apartMs: () => apart });
	come(2);
	await settle();
	expect(passed).toEqual([0, 1]);
	expect(waits).toEqual([]);
	apart = 3;
	come(2);
	await settle();
	expect(passed).toEqual([0, 1, 2]);
	expect(waits).toEqual([3]);
	tick();
	await settle();
	expect(passed).toEqual([0, 1, 2, 3]);
});
