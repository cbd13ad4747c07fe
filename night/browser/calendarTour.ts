// The content calendar before and after a row of it is edited, as pictures of its table.

import { editCalendar } from '../../scripts/demo/editCalendar';
import type { Stage } from '../../scripts/demo/stage';
import type { Editor } from '../../scripts/n8n/editor';

/** All columns of the table, and its rows. */
const WIDE = { width: 2700, height: 500 };

interface Given {
	readonly editor: Editor;
	readonly stage: Stage;
	readonly picture: (name: string) => Promise<void>;
}

export async function showCalendar({ editor: { page }, stage, picture }: Given): Promise<string[]> {
	const usual = page.viewportSize();
	return await editCalendar(stage, async (name, result) => {
		await page.setViewportSize(WIDE);
		await page.goto(stage.api.tablePage(stage.tables.calendar));
		await page.getByText(result).filter({ visible: true }).first().waitFor();
		await picture(name);
		if (usual !== null) await page.setViewportSize(usual);
	});
}
