// The content calendar as somebody uses it: its rows become posts, one row is edited, and its post changes.

import type { JsonRecord } from '../n8n/n8nApi';
import { runByHand, type Demo } from './furnishN8n';

const START = 'Every Hour';
const EDITED_TEXT = 'Three things I learned from 300 cold conversations. Comment GUIDE.';

/** Gives everything that is wrong, in words. `show` is called after each of the two runs. */
export async function editCalendar(
	{ api, service: { world }, tables, workflows }: Demo,
	show: (name: string, result: string) => Promise<void> = async () => await Promise.resolve(),
): Promise<string[]> {
	const runCalendar = async (): Promise<Map<unknown, JsonRecord>> => {
		await runByHand(api, workflows['content-calendar'], START);
		const rows = await api.rows(tables.calendar);
		return new Map(rows.map((row) => [row.post, row]));
	};
	const textOf = (id: unknown) =>
		[...world.accounts.values()].flatMap(({ posts }) => posts.get(String(id))?.text ?? [])[0];

	const before = await runCalendar();
	await show('calendar-before', 'created');
	const [name, row] = [...before].find(([, { result }]) => result === 'created') ?? [];
	if (row === undefined) return ['no row became a post'];
	await api.editRows(tables.calendar, {
		...{ column: 'post', value: String(name), data: { text: EDITED_TEXT } },
	});
	const after = await runCalendar();
	await show('calendar-after', 'updated');
	const results = [...after].flatMap(([post, { result }]) =>
		result === null ? [] : [`${String(post)}: ${String(result)}`],
	);
	const others = results.filter((one) => !one.startsWith(`${String(name)}:`));
	return [
		...(after.get(name)?.result === 'updated' ? [] : [`the edited row says ${results.join(', ')}`]),
		...(after.get(name)?.post_id === row.post_id ? [] : ['the edited row has another post']),
		...(textOf(row.post_id) === EDITED_TEXT ? [] : [`its post says ${textOf(row.post_id)}`]),
		...(others.every((one) => one.endsWith(': unchanged')) ? [] : [`others: ${others.join(', ')}`]),
	];
}
