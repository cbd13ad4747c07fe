// What `npm run diagnose` prints. Pure.

import type { Item } from '../../nodes/LeadGenPublishing/diagnose/judge/item';
import { DOUBTS, doubtNames, type DoubtName } from './doubts';
import type { Observation } from './observation';

const clientsOf = ({ clients }: Item): string =>
	clients.map(({ client_id: id, client_name: name }) => `${name} (${id})`).join(', ');

export const checkInLines = (item: Item): string =>
	[
		`${item.result.toUpperCase()}  ${item.check}: ${item.means}`,
		item.do_next,
		`Seen: ${item.seen}`,
		item.service_says === '' ? '' : `The service says: ${item.service_says}`,
		item.clients.length === 0 ? '' : `Clients: ${clientsOf(item)}`,
	]
		.filter((text) => text !== '')
		.join('\n    ');

const KINDS = { settled: 'SETTLED', needed: 'NEEDED', open: 'OPEN' } as const;

function doubtInLines(name: DoubtName, { kind, saw }: Observation): string {
	const { question, code, settledBy, then } = DOUBTS[name];
	return [
		`${KINDS[kind]}  ${name}: ${question}`,
		`Saw: ${saw}`,
		...(kind === 'settled' ? [`Then delete: ${then}`] : []),
		...(kind === 'open' ? [`Settled by: ${settledBy}`] : []),
		`Code: ${code.join(', ')}`,
	].join('\n    ');
}

/** The register, the settled doubts first. */
export function registerInLines(observed: Readonly<Record<DoubtName, Observation>>): string {
	const kinds = ['settled', 'needed', 'open'] as const;
	const of = (kind: Observation['kind']): DoubtName[] =>
		doubtNames.filter((name) => observed[name].kind === kind);
	return [
		`${of('settled').length} settled, ${of('needed').length} needed, ${of('open').length} open. "Settled" means that this account
showed it in this run. Ask the service whether it is always so before you delete anything.`,
		...kinds.flatMap(of).map((name) => doubtInLines(name, observed[name])),
	].join('\n\n');
}
