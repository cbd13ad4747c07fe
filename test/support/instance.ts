/**
 * One n8n instance per test process: dependency container, encryption, expression engine, binary
 * storage and a logger that keeps its lines. Everything here is n8n's own except the logger.
 */
import 'reflect-metadata';

import { Logger } from '@n8n/backend-common';
import { GlobalConfig } from '@n8n/config';
import { Container } from '@n8n/di';
import {
	BinaryDataConfig,
	BinaryDataService,
	Cipher,
	EncryptionKeyProxy,
	InstanceSettings,
} from 'n8n-core';
import { Expression, LoggerProxy, type LogMetadata } from 'n8n-workflow';
import { AsyncLocalStorage } from 'node:async_hooks';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface LogLine {
	level: 'debug' | 'info' | 'warn' | 'error';
	message: string;
	metadata?: LogMetadata;
}

/** `default` keeps binary data inside the item, `filesystem` beside it. */
export type BinaryMode = 'default' | 'filesystem';

const lines = new AsyncLocalStorage<LogLine[]>();

const write = (level: LogLine['level']) => (message: string, metadata?: LogMetadata) => {
	lines.getStore()?.push({ level, message, metadata });
};

const keepingLogger = {
	debug: write('debug'),
	info: write('info'),
	warn: write('warn'),
	error: write('error'),
	scoped: () => keepingLogger,
};

/** Runs `work` and pushes every line that it, or n8n on its behalf, logs into `into`. */
export async function withLogs<T>(into: LogLine[], work: () => Promise<T>): Promise<T> {
	return await lines.run(into, work);
}

let folder: string | undefined;
let started: Promise<void> | undefined;
let currentBinaryMode: BinaryMode | undefined;

interface IsolatePool<Isolate extends { isDisposed: () => boolean }> {
	bridges: Isolate[];
	size: number;
	release: (isolate: Isolate) => Promise<void>;
}

/**
 * n8n gives every execution a fresh isolate, which costs some 20 ms. Here the next execution takes
 * over the isolate of the last one: the same engine evaluates the same expressions, only sooner.
 */
function keepIsolates(): void {
	const { vmEvaluator } = Expression as unknown as {
		vmEvaluator?: { pool: IsolatePool<{ isDisposed: () => boolean }> };
	};
	if (!vmEvaluator) return;
	const { pool } = vmEvaluator;
	pool.size = 0;
	pool.release = async (isolate) => {
		if (!isolate.isDisposed()) pool.bridges.push(isolate);
	};
}

async function start(): Promise<void> {
	folder = mkdtempSync(join(tmpdir(), 'n8n-engine-'));
	process.env.N8N_USER_FOLDER = folder;
	process.env.N8N_ENCRYPTION_KEY = 'engine-for-tests';

	Container.set(Logger, keepingLogger as unknown as Logger);
	LoggerProxy.init(keepingLogger);

	const key = {
		id: 'test',
		value: Container.get(Cipher).encryptDEKWithInstanceKey(
			Container.get(InstanceSettings).encryptionKey,
		),
		algorithm: 'aes-256-gcm',
		format: 'prefixed' as const,
	};
	Container.get(EncryptionKeyProxy).setProvider({
		getActiveKey: async () => key,
		getKeyById: async () => key,
		getLegacyKey: async () => key,
	});

	// Only a run that evaluates an expression gets an isolate. This is a setting of n8n.
	const { expressionEngine } = Container.get(GlobalConfig);
	await Expression.initExpressionEngine({ ...expressionEngine, lazyAcquire: true });
	keepIsolates();
}

/** The first call starts the instance; later calls cost nothing. */
export async function instance(): Promise<void> {
	started ??= start();
	await started;
}

/** The mode belongs to the whole instance, as in n8n: do not run two modes at the same time. */
export async function useBinaryMode(mode: BinaryMode): Promise<void> {
	if (mode === currentBinaryMode) return;
	currentBinaryMode = mode;
	Container.get(BinaryDataConfig).mode = mode;
	await Container.get(BinaryDataService).init();
}

/** Frees the isolates and removes the temporary folder. */
export async function stopInstance(): Promise<void> {
	if (started) await Expression.disposeExpressionEngine();
	if (folder) rmSync(folder, { recursive: true, force: true });
	started = undefined;
	folder = undefined;
	currentBinaryMode = undefined;
	Container.reset();
}

// The process ends when its last test file has run.
process.once('exit', () => {
	if (folder) rmSync(folder, { recursive: true, force: true });
});
