/**
 * Opens a file of the project in the developer's editor, by `launch-editor`: it finds which one runs, knows how each
 * takes a line, and needs no shell but on Windows. Asked by pages of ours alone (`access.ts`), for files that exist.
 */
import launchEditor from 'launch-editor';
import type { EditorPlace } from './types.ts';

/** Without word of a failure by then it has started. */
const STARTED_MS = 500;
const DEFAULT_EDITOR = 'code';

/** @throws Error that says what to do where none starts */
export async function openInEditor(place: EditorPlace): Promise<void> {
  const wanted = process.env['FULMAR_EDITOR'];
  if (wanted !== undefined && wanted !== '') return launch(place, wanted);
  try {
    await launch(place, undefined);
  } catch {
    await launch(place, DEFAULT_EDITOR);
  }
}

function launch({ file, line, column }: EditorPlace, editor: string | undefined): Promise<void> {
  return new Promise((done, fail) => {
    const timer = setTimeout(done, STARTED_MS);
    launchEditor(`${file}:${line}:${column}`, editor, (_: string, message: string | null) => {
      clearTimeout(timer);
      fail(new Error(`No editor was opened${message === null ? '' : ` (${message})`}: set FULMAR_EDITOR to its command, as code or idea.`));
    });
  });
}
