/**
 * What an application asks of the compiler: `"fulmar": { "strictTypes": true }` beside `compilerOptions`, in its
 * `tsconfig.json` or in one that this extends. TypeScript itself passes over names that it does not know.
 */
import ts from 'typescript';
import { CompileError } from '../analyze/problem.ts';

export interface TypeSettings {
  /** `unknown`, `any`, `object` and `{}` are errors: nothing of such a value is checked. */
  readonly strictTypes: boolean;
}

/** `configs`: the nearest first. @throws CompileError for settings that there are none of */
export function settingsOf(configs: Iterable<string>): TypeSettings {
  for (const file of configs) {
    const { config } = ts.readConfigFile(file, (name) => ts.sys.readFile(name)) as { config?: { fulmar?: unknown } };
    if (config?.fulmar === undefined) continue;
    return checked(config.fulmar, file);
  }
  return { strictTypes: false };
}

function checked(given: unknown, file: string): TypeSettings {
  const wrong = (path: string, message: string): never => {
    throw new CompileError([{ file, line: 1, column: 1, path, message }], [file]);
  };
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    return wrong('fulmar', 'is an object, as { "strictTypes": true }');
  const { strictTypes = false, ...others } = given as { strictTypes?: unknown };
  const [other] = Object.keys(others);
  if (other !== undefined) return wrong(`fulmar.${other}`, 'is no setting; there is strictTypes');
  return typeof strictTypes === 'boolean'
    ? { strictTypes }
    : wrong('fulmar.strictTypes', `is true or false, and this is ${typeof strictTypes}`);
}
