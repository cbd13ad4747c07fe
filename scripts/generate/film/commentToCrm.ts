// Somebody comments the keyword, and the lead comes into the CRM.

import type { Stage } from '../../demo/stage';
import type { Editor } from '../../n8n/editor';
import type { Camera } from './camera';

export const LINES = {
	comment: 'Somebody comments the keyword of a lead magnet',
	asks: 'The trigger asks for new leads …',
	arrives: '… and the lead is in the table',
	table: 'The CRM, here one of n8n’s own tables',
	lead: 'Name, email and keyword, a few seconds after the comment',
} as const;

export interface CommentToCrm {
	stage: Pick<Stage, 'service' | 'api' | 'tables'>;
	editor: Editor;
	camera: Camera;
	say(sentence: string): Promise<void>;
}

export async function commentToCrm({ stage, editor, camera, say }: CommentToCrm): Promise<void> {
	const { service, api, tables } = stage;
	const { page } = editor;
	const seen = (text: string) => camera.during(page.getByText(text).first().waitFor());
	await page.goto(String(service.controlUrl));
	const button = page.getByText('Someone comments your keyword');
	await button.waitFor();
	await say(LINES.comment);
	await camera.click(button);
	const lead = service.world.own.leads.at(-1);
	await seen(`${lead?.name} commented`);
	await say(LINES.asks);
	await seen('leads asked for');
	await say(LINES.arrives);
	await seen('in the table');
	await camera.finishSentence();

	await page.goto(api.tablePage(tables.own));
	const name = page.getByText(lead?.name ?? '').filter({ visible: true });
	await name.first().waitFor();
	await editor.tidy();
	await say(LINES.table);
	await camera.finishSentence();
	await say(LINES.lead);
	await camera.moveTo(name.first());
	await camera.finishSentence();
}
