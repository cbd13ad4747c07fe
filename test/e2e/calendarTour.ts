// The content calendar as somebody sees it: its rows become posts, one row is edited, and its post
// changes. Pictures show the table before and after.

import { runByHand, type Stage } from '../../scripts/demo/stage';
import type { Editor } from '../../scripts/n8n/editor';
import type { JsonRecord } from '../../scripts/n8n/n8nApi';

const START = 'Every Hour';
const EDITED_TEXT = 'Three things I learned from 300 cold conversations. Comment GUIDE.';

/** All columns of the table, and its rows. */
const WIDE = { width: 2700, height: 500 };

interface Given {
	readonly editor: Editor;
	readonly stage: Stage;
	readonly picture: (name: string) => Promise<void>;
}

export async function editCalendar({ editor, stage, picture }: Given): Promise<string[]> {
	const { api, service, tables, workflows } = stage;
	const { world } = service;
	const usual = editor.page.viewportSize();
	const show = async (name: string, text: string) => {
		await editor.page.setViewportSize(WIDE);
		await editor.page.goto(api.tablePage(tables.calendar));
		await editor.page.getByText(text).filter({ visible: true }).first().waitFor();
		await picture(name);
		if (usual !== null) await editor.page.setViewportSize(usual);
	};
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
