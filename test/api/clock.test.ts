import { steadyClock } from '../../nodes/LeadGenPublishing/api/timeLimit';

it('goes on with the time of day, stands still where that does, and never goes back', () => {
	let wall = 1_000;
	const clock = steadyClock(() => wall);
	const start = clock();
	expect(clock() - start).toBe(0);
	wall += 5;
	expect(clock() - start).toBe(5);
	wall -= 600;
	expect(clock() - start).toBe(5);
	wall += 7;
	expect(clock() - start).toBe(12);
});
