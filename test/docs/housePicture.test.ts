import { readFileSync } from 'node:fs';

import { housePicture, PICTURE } from './housePicture';

it('the picture of the house shows the imports that the code has (npm run docs draws it)', () => {
	expect(readFileSync(PICTURE, 'utf8')).toBe(housePicture());
});
