import type { NodeExecutionHint } from 'n8n-workflow';

export type NoticeDetails = Pick<NodeExecutionHint, 'type' | 'group'>;

/** Shows a hint next to the output. n8n counts the hints of one group and shows them as one. */
export type Notice = (message: string, details?: NoticeDetails) => void;
