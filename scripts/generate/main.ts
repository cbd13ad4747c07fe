/**
 * `npm run docs`: writes every page and file that is made from the code.
 * `npm run docs -- --check`: says what in the documents is not so, and ends with 0 or 1.
 * `npm run docs -- --check-pictures`: says which pictures no longer show the product.
 * `npm run docs -- --sample SEED`: prints sentences of pages and product, to be read by a person.
 * `npm run docs -- --pictures [NAME…]`: retakes the pictures of the examples in a real n8n.
 */
import { writeDoubtsPage } from './doubtsPage';
import { writeEndpointWords } from './endpointWords';
import { writeModelTable } from './modelTable';
import { writeForm } from './form';
import { writePicture } from './housePicture';
import { writeOpenApi } from './openApi/write';
import { writeSchemas } from './outputSchemas';
import { writeTables } from './readmeTables';
import { writeSamples } from './sampleItems';

async function main(what: string | undefined): Promise<void> {
	if (what === '--check') await import('../../test/docs/check');
	else if (what === '--pictures') await import('./examplePictures');
	else if (what === '--check-pictures') await import('../../test/docs/checkPictures');
	else if (what === '--sample')
		console.log((await import('../../test/docs/samples')).sampleTexts(process.argv[2] ?? ''));
	else if (what !== undefined)
		throw new Error(`"${what}" is none of --check, --check-pictures, --sample and --pictures`);
	else {
		writeTables();
		writeEndpointWords();
		writeModelTable();
		writeForm();
		writeSamples();
		await writeSchemas();
		writePicture();
		writeDoubtsPage();
		writeOpenApi();
	}
}

// What it hands the work to reads the arguments behind the first.
const [what] = process.argv.splice(2, 1);
void main(what);
