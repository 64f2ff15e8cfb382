/**
 * JSDoc of a property or a type: notes for documents, and rules (`@minLength 2`). Reads text; what a rule
 * does is in `rules.ts`.
 */
import ts from 'typescript';
import type { Notes, Shape } from '../../../fulmar/src/shape/shape.ts';
import { ruleNames, withRule } from './rules.ts';

/** `shape` with what the comments of `symbol` say. `tell` takes what is wrong with them. */
export function withDocs(shape: Shape, symbol: ts.Symbol, checker: ts.TypeChecker, tell: (message: string) => void): Shape {
  const tags = symbol.getJsDocTags(checker);
  const unseen = unseenRule(symbol);
  if (unseen !== undefined) tell(`has a comment with @${unseen} that TypeScript does not see: begin it on a line of its own`);
  const description = ts.displayPartsToString(symbol.getDocumentationComment(checker)).trim();
  if (tags.length === 0 && description === '') return shape;
  let result = shape;
  for (const { name, text } of tags) {
    if (!ruleNames.includes(name)) continue;
    const ruled = withRule(result, name, valueOf(name, ts.displayPartsToString(text).trim()));
    if ('wrong' in ruled) tell(ruled.wrong);
    else result = ruled.shape;
  }
  const notes = notesOf(description, tags);
  return Object.keys(notes).length === 0 ? result : { ...result, notes: { ...result.notes, ...notes } };
}

function notesOf(description: string, tags: readonly ts.JSDocTagInfo[]): Notes {
  const all = (name: string): string[] => tags.filter((tag) => tag.name === name).map(({ text }) => ts.displayPartsToString(text).trim());
  const told = description === '' ? all('description')[0] : description;
  const examples = all('example').map(toValue);
  return {
    ...(told !== undefined && told !== '' && { description: told }),
    ...(all('title')[0] !== undefined && { title: all('title')[0] }),
    ...(tags.some(({ name }) => name === 'deprecated') && { deprecated: true }),
    ...(examples.length > 0 && { examples }),
  };
}

function valueOf(name: string, text: string): unknown {
  if (name === 'pattern') return /^\/(.*)\/$/s.exec(text)?.[1] ?? text;
  if (name === 'format' || name === 'unknownKeys') return text;
  if ((name === 'uniqueItems' || name === 'integer') && text === '') return true;
  return toValue(text);
}

/** JSON where it is some, else the text. */
function toValue(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return /^'[^']*'$/.test(text) ? text.slice(1, -1) : text;
  }
}

/**
 * A rule in a comment behind other text of its line: to TypeScript that is a comment on what is before it, and
 * the rule would be gone without a word.
 */
function unseenRule(symbol: ts.Symbol): string | undefined {
  for (const declaration of symbol.declarations ?? []) {
    const { text } = declaration.getSourceFile();
    for (const { pos, end } of ts.getTrailingCommentRanges(text, declaration.pos) ?? []) {
      const comment = text.slice(pos, end);
      const found = comment.startsWith('/**') ? ruleNames.find((name) => new RegExp(`@${name}\\b`).test(comment)) : undefined;
      if (found !== undefined) return found;
    }
  }
  return undefined;
}
