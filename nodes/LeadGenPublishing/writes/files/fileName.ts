/** The name of a file as it is sent. Pure. */
import { withoutControlCharacters, withoutHalfCharacters } from '../../api/controlCharacters';
import type { Values } from '../../panel/parameters/values';

/**
 * The last part of a path, because the name of a file from an archive may include its folders, and
 * the service may build its own path from the name. Undefined if no usable name is left.
 */
export function fileNameIn(path: string): string | undefined {
	const last = path.split(/[/\\]/).at(-1) ?? '';
	const name = withoutHalfCharacters(withoutControlCharacters(last)).trim();
	return /^\.{0,2}$/.test(name) ? undefined : name;
}

export const NO_FILE_NAME = [
	'is not the name of a file',
	'Enter a name with its extension, such as guide.pdf.',
] as const;

/** The same of a name that the user has entered; undefined if it is empty. */
export function readFileName(values: Values, parameter: string): string | undefined {
	const given = values.optionalText(parameter);
	const name = given === undefined ? undefined : fileNameIn(given);
	if (given === undefined || name !== undefined) return name;
	throw values.fail(parameter, ...NO_FILE_NAME);
}
