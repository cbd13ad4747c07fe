// A spreadsheet with the names of clients, local times and pictures, as an agency fills it in.

import type { Account } from '../../../fake-service';
import type { JsonRecord } from '../../../scripts/n8n/n8nApi';
import { files, run, stored, world } from './runs';

const HOUR_MS = 3_600_000;

/** As a sheet shows it. In January, London and UTC have the same time; in July they do not. */
const TIMES = ['31/01/2031 09:30', '31/07/2031 09:30'];
const AS_INSTANTS = ['2031-01-31T09:30:00.000Z', '2031-07-31T08:30:00.000Z'];

it('a spreadsheet becomes six posts with pictures, and two edited rows change two of them', async () => {
	const { clientA, clientB, clientC } = world();
	const clients: Account[] = [clientA, clientB, clientC];
	const rows = clients.flatMap(({ fullName }, place) =>
		TIMES.map((time, at) => ({
			post: `sheet-${place}-${at}`,
			row_number: String(2 + 2 * place + at),
			// As people write it.
			client_name: ` ${at === 0 ? fullName : fullName.toUpperCase()} `,
			text: `Sheet ${place} ${at}`,
			image: files().urlOf(`picture-${place}-${at}`),
			scheduled_at: place === 2 ? '' : time,
			...{ time_zone: 'Europe/London', status: 'ready' },
		})),
	);
	const write = async (sheet: readonly JsonRecord[]) => {
		const pinned = { 'Read Ready Rows': sheet };
		const { output } = await run(
			await stored('content-calendar-google-sheets', { pinned }),
			'Every Hour',
		);
		expect(output('Note the Problem')).toEqual([]);
		return output('Note the Post').map((row) => ({
			post: sheet.find(({ row_number }) => String(row_number) === row['columns.value.row_number'])
				?.post,
			result: row['columns.value.result'],
			...{ goesOutAt: row['columns.value.goes_out_at'], id: row['columns.value.post_id'] },
		}));
	};
	const made = () =>
		clients.flatMap(({ posts }) => posts.toArray().filter(({ text }) => /^Sheet/.test(text)));

	const first = await write(rows);
	expect(first.map(({ result }) => result)).toEqual(rows.map(() => 'created'));
	expect(made().map(({ images }) => images.length)).toEqual([1, 1, 1, 1, 1, 1]);
	const timeOf = (post: string) =>
		new Date(
			made().find(({ id }) => id === first.find((row) => row.post === post)?.id)?.scheduled_at ??
				'',
		).toISOString();
	for (const place of [0, 1])
		expect([0, 1].map((at) => timeOf(`sheet-${place}-${at}`))).toEqual(AS_INSTANTS);
	// By the clock of London.
	const shown = first.map(({ goesOutAt }) => String(goesOutAt));
	expect(shown.slice(0, 4)).toEqual([...TIMES, ...TIMES]);
	for (const free of shown.slice(4)) expect(free).toMatch(/^\d\d\/\d\d\/\d{4} (09|1[0-6]):\d\d$/);

	const edited = rows.map((row, at) => ({
		...row,
		...(at === 0 && { text: 'Sheet 0 0, edited' }),
		...(at === 3 && { scheduled_at: '31/07/2031 10:30' }),
	}));
	const fetchedBefore = files().fetched();
	const second = await write(edited);
	expect(second.map(({ result }) => result)).toEqual(
		rows.map((_, at) => (at === 0 || at === 3 ? 'updated' : 'unchanged')),
	);
	expect(made()).toHaveLength(6);
	expect(made().map(({ images }) => images.length)).toEqual([1, 1, 1, 1, 1, 1]);
	expect(timeOf('sheet-1-1')).toBe(
		new Date(Date.parse(AS_INSTANTS[1] ?? '') + HOUR_MS).toISOString(),
	);
	expect(files().fetched() - fetchedBefore).toBeLessThanOrEqual(6);
});
