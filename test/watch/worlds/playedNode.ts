/** The trigger node as n8n polls it: its context, and the way of its requests to the service. */
import type {
	IDataObject,
	IHttpRequestOptions,
	INodeExecutionData,
	IPollFunctions,
} from 'n8n-workflow';

import { asReceived } from '../../support/replies';
import type { Opened, Polled } from './playedN8n';
import { BASE_URL, FIRST_KEY, type Asked, type PlayedService } from './playedService';
import type { VirtualTime } from './virtualTime';

/** A class as n8n loads it. */
export type TriggerClass = new () => {
	poll: (this: IPollFunctions) => Promise<INodeExecutionData[][] | null>;
	description: { properties: ReadonlyArray<{ name: string }> };
};

/** More than any poll needs. The longest list of a world has 1,100 pages. */
const MOST_REQUESTS = 3_000;
/** Longer than n8n waits for any poll. */
const FOR_EVER_MS = 300_000;

let workflows = 0;

export class PlayedNode implements Polled<IDataObject> {
	key = FIRST_KEY;
	/** A poll sent so many requests that it would not have ended by itself. */
	asksWithoutEnd = false;
	readonly logs: string[] = [];
	private requestsOfPoll = 0;
	private readonly workflow = `played-${(workflows += 1)}`;

	constructor(
		private readonly trigger: TriggerClass,
		private readonly time: VirtualTime,
		private readonly service: PlayedService,
		readonly parameters: IDataObject,
	) {}

	get requests(): number {
		return this.service.requests;
	}

	open({ process, activation, budgetMs, data }: Opened) {
		const id = this.workflow;
		const log = (level: string) => (message: string) =>
			void (level === 'debug' || this.logs.push(`${level}: ${message}`));
		const context = {
			getNode: () => ({ id, name: id, type: 'played', typeVersion: 1, position: [0, 0] }),
			getWorkflow: () => ({ id: `${id} in process ${process}`, name: id, active: true }),
			getMode: () => 'trigger',
			getActivationMode: () => activation,
			getTimezone: () => 'UTC',
			getNodeParameter: (name: string) => this.parameters[name] ?? null,
			getCredentials: async () =>
				await Promise.resolve({ baseUrl: BASE_URL, apiKey: this.key } as IDataObject),
			getWorkflowStaticData: data,
			getPollBudgetMs: () => budgetMs,
			logger: { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') },
			helpers: {
				httpRequestWithAuthentication: async (_: string, http: IHttpRequestOptions) =>
					await this.send(http),
			},
		} as unknown as IPollFunctions;
		return async (): Promise<IDataObject[] | null> => {
			this.requestsOfPoll = 0;
			const outputs = await new this.trigger().poll.call(context);
			return outputs && (outputs[0] ?? []).map(({ json }) => json);
		};
	}

	private async send(http: IHttpRequestOptions): Promise<unknown> {
		if ((this.requestsOfPoll += 1) > MOST_REQUESTS) {
			this.asksWithoutEnd = true;
			// Nothing responds: the poll hangs, and is given up at the end of its time.
			await this.time.wait(FOR_EVER_MS);
		}
		const { offset, limit, ...query } = http.qs ?? {};
		const asked: Asked = {
			path: http.url.replace(BASE_URL, ''),
			offset: Number(offset ?? 0),
			limit: Number(limit ?? 50),
			query,
			key: this.key,
		};
		return asReceived(await this.service.answer(asked));
	}
}
