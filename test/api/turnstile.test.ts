import { Turnstile } from '../../nodes/LeadGenPublishing/api/throttleGate';

/** Each wait lasts until `tick()` ends it. */
function turnstileOnStoppedClock() {
	const waits: number[] = [];
	const over: Array<() => void> = [];
	const turnstile = new Turnstile(async (ms) => {
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
	const { come, settle, tick, passed, waits } = turnstileOnStoppedClock();
	come(5);
	await settle();
	expect(passed).toEqual([0, 1]);
	tick();
	await settle();
	expect(passed).toEqual([0, 1, 2, 3]);
	tick();
	await settle();
	expect(passed).toEqual([0, 1, 2, 3, 4]);
	expect(waits).toEqual([1, 1]);
});

it('keeps nobody waiting who comes when the moment is over', async () => {
	const { come, settle, tick, passed } = turnstileOnStoppedClock();
	come(2);
	await settle();
	tick();
	await settle();
	come(1);
	await settle();
	expect(passed).toEqual([0, 1, 2]);
});
