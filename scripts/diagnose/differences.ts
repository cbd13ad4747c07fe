// `npm run diagnose -- --differences`: plants each difference between service and document in a fake
// service of its own, and prints what a diagnosis says about it as a table in Markdown.

import { DIFFERENCES } from '../../fake-service/differences';
import { isAboutClients } from '../../fake-service/differences/plant';
import { startService } from '../../fake-service/index';
import { collect } from '../../nodes/LeadGenPublishing/diagnose/collect/collect';
import type { Item } from '../../nodes/LeadGenPublishing/diagnose/judge/item';
import { judge, needingAttention } from '../../nodes/LeadGenPublishing/diagnose/judge/judge';
import { httpFunctions } from './http';

/** Most of the time a diagnosis waits. */
const AT_ONCE = 8;
const MAX_WAIT_MS = 3_000;

async function diagnosed(name: string): Promise<Item[]> {
	const service = await startService();
	try {
		DIFFERENCES[name]?.plant(service);
		const { keys } = service.world;
		const apiKey = isAboutClients(name) ? keys.agency : keys.own;
		const facts = await collect(httpFunctions({ baseUrl: service.baseUrl, apiKey }), {
			withWrites: true,
			maxWaitMs: MAX_WAIT_MS,
			isInN8n: false,
			onLeft: () => undefined,
		});
		return needingAttention(judge(facts));
	} finally {
		await service.close();
	}
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replace(/\s+/g, ' ').trim();

function rowsOf(name: string, [summary, ...items]: readonly Item[]): string[] {
	const planted = [name, DIFFERENCES[name]?.words ?? ''];
	const found = items.length > 0 ? items : summary === undefined ? [] : [summary];
	return found.map(({ check, result, means, do_next: next, seen }, at) => {
		const cells = [...(at === 0 ? planted : ['', '']), check, result, `${means} ${next}`, seen];
		return `| ${cells.map(cell).join(' | ')} |`;
	});
}

export async function tableOfDifferences(wanted: readonly string[]): Promise<string> {
	const unknown = wanted.find((name) => !(name in DIFFERENCES));
	if (unknown !== undefined) throw new Error(`There is no difference called "${unknown}".`);
	const names = wanted.length > 0 ? wanted : Object.keys(DIFFERENCES);
	const rows = new Map<string, string[]>();
	const left = [...names];
	const work = async (): Promise<void> => {
		for (let name = left.shift(); name !== undefined; name = left.shift())
			rows.set(name, rowsOf(name, await diagnosed(name)));
	};
	await Promise.all(Array.from({ length: AT_ONCE }, work));
	const table = names.flatMap((name) => rows.get(name) ?? []);
	const head = ['| Name | Planted | Check | Result | Words | Seen |', '|---|---|---|---|---|---|'];
	return `${[...head, ...table].join('\n')}\n`;
}
