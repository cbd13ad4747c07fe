/** The parameters that say where a file comes from. */
import { parameter, textParameter } from './parameter';

export const sourceField = parameter('source', {
	type: 'options',
	options: [
		{ name: 'Binary File', value: 'binary', description: 'A file from the input item' },
		{
			name: 'URL',
			value: 'url',
			description: 'A file at a public URL',
		},
	],
	default: 'binary',
	description: 'Where the file comes from',
});

export const SOURCES = ['binary', 'url'] as const;

export const binaryPropertyField = textParameter('binaryPropertyName', {
	default: 'data',
	displayOptions: { hide: { source: ['url'] } },
	hint: 'The name of the input binary field containing the file to be uploaded',
	description:
		'Binary field of the input item that contains the file: an image (JPEG, PNG, GIF or WebP, at most 5 MB) or a PDF (at most 15 MB)',
});

export const fileUrlField = textParameter('fileUrl', {
	placeholder: 'e.g. https://example.com/picture.png',
	description:
		'URL of the file, starting with https://. The node does not send the API key there, and rejects URLs in the network that n8n runs in.',
});
