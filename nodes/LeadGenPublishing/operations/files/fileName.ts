/** The name of a file as it is sent. Pure. */
import { withoutControlCharacters, withoutHalfCharacters } from '../../api/controlCharacters';

/**
 * The last part of a path, since a file from an archive may be named with its folders. The service may
 * make a path of its own from the name. Undefined if nothing is left that could be a name.
 */
export function fileNameIn(path: string): string | undefined {
	const last = path.split(/[/\\]/).at(-1) ?? '';
	const name = withoutHalfCharacters(withoutControlCharacters(last)).trim();
	return /^\.{0,2}$/.test(name) ? undefined : name;
}
