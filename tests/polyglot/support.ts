/** The interpreter with the packages of tests (`scripts/lib/python-packages.mjs`), before the guest is opened. */
import { pythonOfTests } from '../../scripts/lib/python-packages.mjs';

/** Why tests that need them are skipped; false: they are not. */
export function usePackages(): string | false {
  const found = pythonOfTests();
  if (found === undefined) return 'the packages of Python are not installed: node scripts/lib/python-packages.mjs';
  process.env['FULMAR_PYTHON'] = found;
  return false;
}
