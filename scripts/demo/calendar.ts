// The content calendar that the demo starts with: rows of three clients, ready to be scheduled.

import type { FakeService } from '../../fake-service';
import type { JsonRecord } from '../n8n/n8nApi';

const TEXTS = [
	"Three things I learned from 200 cold conversations. Comment GUIDE and I'll send you the notes.",
	'We stopped gating our best content. Here is what happened to pipeline.',
	'Hiring is a sales process. Treat it like one.',
];
const TIME_ZONES = ['Europe/Berlin', 'Europe/London', 'America/New_York'];

export function calendarRows({ world }: Pick<FakeService, 'world'>): JsonRecord[] {
	const clients = [world.clientA, world.clientB, world.clientC];
	return clients.flatMap(({ fullName }, place) =>
		TEXTS.map((text, number) => ({
			// A name that only this row has.
			post: `${fullName.split(' ')[0]?.toLowerCase()}-${number + 1}`,
			client_name: fullName,
			text,
			// Somebody still works at the last one of each client.
			status: number === TEXTS.length - 1 ? 'idea' : 'ready',
			time_zone: TIME_ZONES[place] ?? 'UTC',
		})),
	);
}
