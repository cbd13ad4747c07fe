import { say } from '../../../scripts/n8n/progress';
import type { Loss } from './batches';
import type { Verdict } from './verdict';

const FEW = 5;

export function report(
	verdict: Verdict,
	{ durable, failedStarts }: { durable: boolean; failedStarts: number },
): void {
	const { losses, missing, twice, unexplained, failed, crm } = verdict;
	const lossy = losses.filter((loss) => loss.missing.length + loss.twice.length > 0);
	say();
	for (const [place, loss] of losses.entries()) say(`kill ${place + 1}: ${lineOf(loss)}`);
	say();
	say(`kills:      ${losses.length}; ${failedStarts} starts that n8n's own crash recovery ended`);
	say(`leads:      ${verdict.leads} in the service`);
	say(`delivered:  ${verdict.delivered} by ${verdict.executions} executions that polls started`);
	say(`            ${verdict.interrupted} of them cut short by a kill, run again with Retry`);
	say(`            at the median ${verdict.delay} ms after the last answer that the poll had got`);
	say(`missing:    ${missing.length} in no execution`);
	say(`twice:      ${twice.length} in more than one`);
	if (!durable) {
		const beyond = `not from the batch in flight: ${unexplained.length}`;
		say(`            at ${lossy.length} of the kills; ${beyond}`);
	}
	say(
		`CRM:        ${crm.rows} rows; ${crm.missing.length} missing, ` +
			`${crm.surplus.length} too many, ${crm.different.length} different`,
	);
	say(`failed:     ${failed.length} executions`);
	for (const line of failed.slice(0, FEW)) say(`  ${line}`);
	for (const lead of missing.slice(0, FEW)) say(`  missing: ${lead}`);
	for (const lead of twice.slice(0, FEW)) say(`  twice: ${lead}`);
}

function lineOf({ kill, polled, batch, missing, twice }: Loss): string {
	if (!polled) return 'before the first poll';
	const when =
		kill.inGap !== undefined
			? kill.inGap
				? 'in the gap'
				: 'beside the gap'
			: kill.afterPoll === undefined
				? 'at any moment'
				: `${kill.afterPoll.toFixed(0)} ms after a poll`;
	return `${when}; batch in flight ${batch.size}, missing ${missing.length}, twice ${twice.length}`;
}
