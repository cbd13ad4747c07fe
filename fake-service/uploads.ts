// Upload URLs that were handed out: good for one upload of what was announced, for a short time.

import { randomBytes } from 'node:crypto';
import type { ServiceClock } from './clock';

const LIFETIME_MS = 10 * 60_000;

export interface Ticket {
	token: string;
	account: string;
	path: string;
	contentType: string;
	size: number;
	expires: number;
	used: boolean;
}

export class UploadTickets {
	private readonly tickets = new Map<string, Ticket>();

	constructor(private readonly clock: ServiceClock) {}

	issue(about: Pick<Ticket, 'account' | 'path' | 'contentType' | 'size'>): Ticket {
		const token = `upl_${randomBytes(24).toString('base64url')}`;
		const ticket = { ...about, token, expires: this.clock.now() + LIFETIME_MS, used: false };
		this.tickets.set(token, ticket);
		return ticket;
	}

	/** The ticket, or why it does not admit. */
	check(token: string | null, path: string): Ticket | string {
		const ticket = this.tickets.get(token ?? '');
		if (!ticket || ticket.path !== path) return 'The token is not valid for this path';
		if (ticket.used) return 'The token was used already';
		if (this.clock.now() >= ticket.expires) return 'The token has expired';
		return ticket;
	}
}
