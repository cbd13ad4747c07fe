/** The parameters that say where a file comes from. */
import { parameter, textParameter } from '../../fields/parameter';

export const sourceField = parameter('source', {
	type: 'options',
	options: [
		{ name: 'Binary File', value: 'binary', description: 'A file of the input item' },
		{
			name: 'URL',
			value: 'url',
			description: 'A file that everybody can fetch from an address',
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
		'Binary field of the input item that carries the file: an image (JPEG, PNG, GIF or WebP, at most 5 MB) or a PDF (at most 15 MB)',
});

export const fileUrlField = textParameter('fileUrl', {
	placeholder: 'e.g. https://example.com/picture.png',
	description:
		'Address of the file, beginning with https://. It is fetched without the API key, and not from the network of this n8n.',
});
