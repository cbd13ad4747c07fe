/** The name of a file as it is sent. Pure. */
import { withoutControlCharacters, withoutHalfCharacters } from '../../api/controlCharacters';

/**
 * The last part of a path, because the name of a file from an archive may include its folders, and
 * the service may build its own path from the name. Undefined if no usable name is left.
 */
export function fileNameIn(path: string): string | undefined {
	const last = path.split(/[/\\]/).at(-1) ?? '';
	const name = withoutHalfCharacters(withoutControlCharacters(last)).trim();
	return /^\.{0,2}$/.test(name) ? undefined : name;
}
