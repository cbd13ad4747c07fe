/** The node on n8n's engine against the fake service, in virtual time, in one process after another. */
import type { INodeExecutionData } from 'n8n-workflow';

import { LeadGenPublishingApi } from '../../../credentials/LeadGenPublishingApi.credentials';
import { ServiceClock } from '../../../fake-service/clock';
import {
	startService,
	type Effect,
	type FakeService,
	type JsonObject,
	type LoggedRequest,
} from '../../../fake-service/index';
import { runNode, withBinary, type NodeRun, type RunNodeOptions } from '../../support/engine';
import { copiesOfNode, type Copy } from './copies';
import {
	blanking,
	moved,
	NO_FAULTS,
	pinned,
	unsentError,
	type Faults,
	type Unsent,
} from './faults';
import { VirtualTime } from './time';

/** Without Retry On Fail. */
export const ONE_TRY = { tries: 1, onError: 'stopWorkflow' } as const;

const BETWEEN_TRIES_MS = 1_000;

/** Of answers that the document does not show: as in most tests, or as a similar service has them. */
export const SHAPES = ['documented', 'likely'] as const;
export type Shapes = (typeof SHAPES)[number];

/** What becomes of the notes that hold a key. Escaped ones still say it. */
export const NOTES_OF_SERVICE = ['whole', 'escaped', 'cut', 'empty', 'hidden'] as const;
export type NotesOfService = (typeof NOTES_OF_SERVICE)[number];
const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');

export interface RunSetup {
	readonly parameters: JsonObject;
	readonly items: INodeExecutionData[];
	readonly tries: number;
	readonly onError: 'stopWorkflow' | 'continueErrorOutput';
	/** The run that "Retry execution" continues. */
	readonly retryOf?: NodeRun;
	/** What somebody does before each further try. */
	readonly betweenTries?: () => void;
	/** Instead of the own one. */
	readonly apiKey?: string;
	/** The process dies at the write with this number. */
	readonly kill?: { readonly at: number; readonly effect: Effect };
}

export class Scene {
	readonly time = new VirtualTime();
	private readonly copies = copiesOfNode();
	private process: Copy = this.copies.next();
	private notes: NotesOfService = 'whole';
	private executions = 0;
	private playedFor = '';
	/** How many requests the service had got when each process began. */
	private beginnings: number[] = [];
	private unsent: Unsent[] = [];

	private constructor(readonly service: FakeService) {}

	static async open(): Promise<Scene> {
		const time = new VirtualTime();
		const clock = new ServiceClock(time.now);
		const service = await startService({ clock, pause: time.pause, sample: 'none' });
		return Object.assign(new Scene(service), { time });
	}

	async close(): Promise<void> {
		await this.service.close();
	}

	/** No records, no log, a process without memory, and the answers in these shapes. */
	clear(shapes: Shapes, notes: NotesOfService = 'whole'): void {
		const { service } = this;
		service.settings.likelyShapes = shapes === 'likely';
		// Processes know for a day whether the account keeps the notes.
		if (this.notes !== 'whole' || notes !== 'whole') this.copies.renew();
		this.notes = notes;
		const hidden = notes === 'hidden' ? ['notes'] : [];
		service.settings.hiddenPostFields = { list: hidden, record: hidden };
		service.settings.storedNotes = notes === 'hidden' ? 'whole' : notes;
		this.beginnings = [];
		const { own } = service.world;
		for (const list of [own.posts, own.leadMagnets, service.world.agency.posts])
			for (const { id } of list.toArray()) list.remove(id);
		own.media.clear();
		own.boosts = [];
		service.world.socialActions.length = 0;
		service.world.applied.length = 0;
		service.clearLog();
		this.beginProcess();
	}

	/** Whatever the process has remembered is gone. */
	beginProcess(): void {
		this.process = this.copies.next();
		this.beginnings.push(this.service.requests.length);
	}

	/** Which process was the youngest when the service got this request. */
	processAt(request: LoggedRequest): number {
		const place = this.service.requests.indexOf(request);
		return this.beginnings.filter((beginning) => beginning <= place).length;
	}

	/** n8n starts over, with the numbers of its executions. */
	beginNumbers(): void {
		this.executions = 0;
		this.beginProcess();
	}

	/** Sets what happens to the requests from now on, and to the next changes of this post. */
	play(
		{ writes, unsent, reads, storage, network, lists, blank }: Faults = NO_FAULTS,
		postId = '',
	): void {
		this.unsent = [...unsent];
		const { faults, provider } = this.service;
		provider.clear();
		faults.clear();
		for (const effect of writes) faults.add(effect, { when: isWrite });
		for (const effect of reads) faults.add(effect, { method: 'GET' });
		for (const effect of storage) faults.add(effect, { host: 'storage' });
		const isList = ({ route }: LoggedRequest) => route?.endsWith('.list') === true;
		if (lists === 'moving')
			faults.add({ kind: 'change', change: moved }, { when: isList, count: 1 });
		else if (lists === 'pinned')
			faults.add({ kind: 'change', change: pinned }, { when: isList, count: Infinity });
		else if (lists !== 'whole') faults.add({ kind: lists }, { when: isList, count: Infinity });
		else if (blank !== undefined)
			faults.add({ kind: 'change', change: blanking(blank) }, { when: isList, count: Infinity });
		for (const outcome of network) provider.next(postId, outcome);
		this.playedFor = postId;
	}

	/** How many of the outcomes at the network were not used. */
	networkLeft(): number {
		let left = 0;
		while (this.service.provider.take(this.playedFor) !== null) left += 1;
		return left;
	}

	/** One execution, in the present process. */
	async run({ kill, retryOf, ...setup }: RunSetup): Promise<NodeRun> {
		const { service, time, process } = this;
		const death = new AbortController();
		let writes = 0;
		if (kill !== undefined) {
			const dies = (request: LoggedRequest): boolean => {
				if (!isWrite(request)) return false;
				writes += 1;
				if (writes === kill.at) death.abort();
				return writes === kill.at;
			};
			service.faults.clear();
			service.faults.add(kill.effect, { when: dies });
		}
		this.executions += 1;
		const { parameters, items, tries, onError, betweenTries, apiKey } = setup;
		return await time.during(async (wait) => {
			const options: RunNodeOptions = {
				node: this.nodeOf(process, { wait, death: death.signal, betweenTries }),
				credentialType: LeadGenPublishingApi,
				credentials: { baseUrl: service.baseUrl, apiKey: apiKey ?? service.world.keys.own },
				parameters: { actAs: 'own', ...parameters },
				items: await Promise.all(items.map(withFile)),
				retryOnFail: tries > 1,
				maxTries: tries,
				onError,
				executionId: String(this.executions),
				...(retryOf === undefined ? {} : { runExecutionData: retryOf.fullRun.data }),
			};
			return await runNode(options);
		});
	}

	/** The node in one process, with its waits in virtual time. */
	private nodeOf(
		{ LeadGenPublishing, executeItems }: Copy,
		{
			wait,
			death,
			betweenTries,
		}: { wait: VirtualTime['pause']; death: AbortSignal } & Pick<RunSetup, 'betweenTries'>,
	) {
		const { time } = this;
		const takeUnsent = () => this.unsent.shift();
		const node = new LeadGenPublishing();
		let tries = 0;
		node.execute = async function () {
			tries += 1;
			if (death.aborted) return [[]];
			if (tries > 1) {
				await wait(BETWEEN_TRIES_MS);
				betweenTries?.();
			}
			const { helpers } = this;
			const send = helpers.httpRequestWithAuthentication;
			helpers.httpRequestWithAuthentication = async function (name, request, more) {
				const unsent = (request.method ?? 'GET') === 'GET' ? undefined : takeUnsent();
				if (unsent !== undefined) throw unsentError(unsent);
				return await send.call(this, name, request, more);
			};
			const settings = { now: time.now, wait, random: () => 0.5, signal: death };
			return await executeItems(this, settings);
		};
		return node;
	}
}

const isWrite = ({ method }: LoggedRequest): boolean => method !== 'GET';

const withFile = async (item: INodeExecutionData): Promise<INodeExecutionData> =>
	item.json.file === true ? await withBinary(item, { buffer: PNG, mimeType: 'image/png' }) : item;
