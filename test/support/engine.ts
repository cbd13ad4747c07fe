/** Runs our nodes on n8n's real engine. Import from here. */
export { type BinaryMode, stopInstance } from './instance';
export { type NodeRun, type RunNodeOptions, runNode } from './runNode';
export { type PollDurability, pollRegistration, runPoll } from './runPoll';
export { listSearch, loadOptions } from './listSearch';
export { testCredential } from './testCredential';
export { withBinary } from './binary';
export { runAsTool } from './runAsTool';
export { loadPackage } from './loadPackage';
