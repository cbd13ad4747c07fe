/** Runs our nodes on n8n's real engine. Import from here. */
export { type LogLine, type BinaryMode, stopInstance, withLogs } from './instance';
export { type SubjectOptions } from './subject';
export { type NodeRun, type RunNodeOptions, nodeContext, runNode } from './runNode';
export {
	type PollDurability,
	type PollRegistration,
	type PollRun,
	type RunPollOptions,
	asStored,
	pollRegistration,
	runPoll,
} from './runPoll';
export { type ListSearchOptions, listSearch } from './listSearch';
export { testCredential } from './testCredential';
export { type BinaryOptions, readBinary, withBinary } from './binary';
export { type RunAsToolOptions, type ToolRun, runAsTool } from './runAsTool';
export { loadPackage } from './loadPackage';
