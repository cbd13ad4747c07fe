// What every chapter of the video has at hand.

import type { Locator } from 'playwright-core';

import type { FakeService } from '../../fake-service';
import type { Editor } from '../../scripts/n8n/editor';
import { CREDENTIAL_NAMES } from '../../scripts/n8n/examples';
import type { JsonRecord, N8nApi } from '../../scripts/n8n/n8nApi';
import { inARow, ours, start } from '../../test/e2e/workflows';
import type { Recorder } from './recorder';

export interface Scene {
	readonly editor: Editor;
	readonly recorder: Recorder;
	readonly api: N8nApi;
	readonly service: FakeService;
}

const TYPING_MS = 25;

/** As fast as a person types. */
export const type = (field: Locator, text: string): Promise<void> =>
	field.pressSequentially(text, { delay: TYPING_MS });

/** The text field of a parameter, in a node or in a credential. */
export const fieldOf = ({ editor }: Scene, parameter: string): Locator =>
	editor.page
		.getByTestId(`parameter-input-${parameter}`)
		.locator('input, textarea')
		.filter({ visible: true })
		.first();

interface OpenedNode {
	readonly name: string;
	readonly parameters: JsonRecord;
	readonly credential: { readonly id: string; readonly name: string };
	/** A workflow that starts by hand, if the node does not start it. */
	readonly byHand: boolean;
}

/** A workflow with this node, which was built before, and the panel of the node. */
export async function openNode(
	{ editor, api, recorder }: Scene,
	{ name, parameters, credential, byHand }: OpenedNode,
): Promise<void> {
	const node = ours(name, credential, parameters);
	const workflow = inARow(name, byHand ? [start, node] : [node]);
	const { id } = await api.createWorkflow(workflow);
	await recorder.leaveOut(() => editor.openWorkflow(id));
	await recorder.stay(1);
	await editor.openPanel(name);
}

/** Runs the node of the open panel, until its output shows this text. */
export async function runUntil({ editor, recorder }: Scene, text: string): Promise<void> {
	await editor.runNode();
	await recorder.leaveOut(() => editor.output.getByText(text).first().waitFor());
	await editor.tidy();
}

/** The credential that the first chapter has made. */
export async function ownCredential(api: N8nApi): Promise<{ id: string; name: string }> {
	return { id: await api.credentialId(CREDENTIAL_NAMES.own), name: CREDENTIAL_NAMES.own };
}
