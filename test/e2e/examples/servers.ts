// A chat model that says what the test wants, on loopback, by OpenAI's protocol; and a mail server that
// keeps what it is given.

import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { createServer as createSocketServer, type AddressInfo, type Server } from 'node:net';
import { createInterface } from 'node:readline';
import { json, text } from 'node:stream/consumers';

import { asRecord, type JsonRecord } from '../../../scripts/n8n/n8nApi';

interface Running {
	port: number;
	close(): Promise<void>;
}

export interface ChatModel extends Running {
	/** What the tools have answered, as the model was told. */
	heard: string[];
}

/** Calls the one tool that it is offered with these arguments, and then ends. */
export async function startChatModel(args: JsonRecord): Promise<ChatModel> {
	const heard: string[] = [];
	const answer = ({ messages, tools }: JsonRecord) => {
		const answered = listOf(messages).find(({ role }) => role === 'tool');
		if (answered !== undefined) heard.push(String(answered.content));
		const [tool] = listOf(tools).map(({ function: offered }) => asRecord(offered));
		const isCall = answered === undefined && tool !== undefined;
		const message = isCall
			? { content: null, tool_calls: [callOf(tool, args)] }
			: { content: 'That is all.' };
		const finish_reason = isCall ? 'tool_calls' : 'stop';
		return {
			...{ id: 'chatcmpl-1', object: 'chat.completion', created: 1, model: 'scripted' },
			choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason }],
			usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
		};
	};
	const server = createServer((request, response) => {
		response.setHeader('content-type', 'application/json');
		void json(request)
			.catch(() => undefined)
			.then((asked) => response.end(JSON.stringify(answer(asRecord(asked)))));
	});
	return { heard, ...(await listening(server)) };
}

/** A tool behind a review takes its own parameters and those of the review. */
const callOf = (tool: JsonRecord, args: JsonRecord) => ({
	...{ id: 'call_1', type: 'function' },
	function: {
		name: tool.name,
		arguments: JSON.stringify({ toolParameters: args, hitlParameters: {} }),
	},
});

export interface Persons extends Running {
	persons: JsonRecord[];
}

/** As a CRM keeps them: POST adds one, and either way those with this address are the answer. */
export async function startPersons(): Promise<Persons> {
	const persons: JsonRecord[] = [];
	const server = createServer(({ method, url = '' }, response) => {
		const given = Object.fromEntries(new URL(url, 'http://loopback').searchParams);
		if (method === 'POST') persons.push({ id: persons.length + 1, ...given });
		response.setHeader('content-type', 'application/json');
		response.end(JSON.stringify(persons.filter(({ email }) => email === given.email)));
	});
	return { persons, ...(await listening(server)) };
}

export interface Receiver extends Running {
	url: string;
	status: number;
	reply: string;
	received: Array<{ body: string; headers: IncomingHttpHeaders }>;
}

/** Keeps what it is sent, and replies as the test wants it. */
export async function startReceiver(): Promise<Receiver> {
	const server = createServer((request, response) => {
		void text(request).then((body) => {
			receiver.received.push({ body, headers: request.headers });
			response.writeHead(receiver.status).end(receiver.reply);
		});
	});
	const running = await listening(server);
	const receiver: Receiver = Object.assign(running, {
		...{ url: `http://127.0.0.1:${running.port}/`, status: 200, reply: 'ok' },
		received: [],
	});
	return receiver;
}

export interface MailServer extends Running {
	/** The bodies of the messages, decoded. */
	mails: string[];
	/** What n8n has to know of it. */
	credential: JsonRecord;
}

export async function startMailServer(): Promise<MailServer> {
	const mails: string[] = [];
	const server = createSocketServer((socket) => {
		let mail: string[] | undefined;
		const reply = (line: string) => socket.write(`${line}\r\n`);
		reply('220 loopback');
		socket.on('error', () => undefined);
		createInterface(socket.setEncoding('latin1')).on('line', (line) => {
			if (mail === undefined) {
				const command = line.slice(0, 4).toUpperCase();
				if (command === 'DATA') mail = [];
				reply(REPLIES[command] ?? '250 ok');
				if (command === 'QUIT') socket.end();
			} else if (line === '.') {
				mails.push(decoded(mail.join('\r\n')));
				mail = undefined;
				reply('250 kept');
			} else mail.push(line);
		});
	});
	const running = await listening(server);
	const credential = {
		...{ user: '', password: '', host: '127.0.0.1', port: running.port },
		...{ secure: false, disableStartTls: true },
	};
	return { mails, credential, ...running };
}

const REPLIES: Readonly<Record<string, string>> = { DATA: '354 go on', QUIT: '221 bye' };

function decoded(mail: string): string {
	const [head = '', ...body] = mail.split('\r\n\r\n');
	const text = body.join('\r\n\r\n');
	if (/^content-transfer-encoding: base64/im.test(head))
		return Buffer.from(text, 'base64').toString('utf8');
	return text
		.replace(/=\r\n/g, '')
		.replace(/=([\dA-F]{2})/g, (_, code: string) => String.fromCharCode(parseInt(code, 16)));
}

const listOf = (value: unknown): JsonRecord[] => (Array.isArray(value) ? value.map(asRecord) : []);

async function listening(server: Server): Promise<Running> {
	await once(server.listen(0, '127.0.0.1'), 'listening');
	const { port } = server.address() as AddressInfo;
	return { port, close: async () => void (await once(server.close(), 'close')) };
}
