/** The one place that decides what an event of `node --test` counts as. */

/**
 * 'passed', 'failed', 'skipped' or undefined (not a test). A `describe` is not a test: it counts only when it
 * failed by itself, not through its tests. A file without any test is reported by Node as a passing test
 * named like the file: here that is a failure.
 */
export function outcome(type, data) {
  const isSuite = data.details?.type === 'suite';
  if (data.skip !== undefined || data.todo !== undefined) return isSuite ? undefined : 'skipped';
  if (type === 'test:fail') return data.details?.error?.failureType === 'subtestsFailed' && isSuite ? undefined : 'failed';
  if (isSuite) return undefined;
  return isTestFile(data) ? 'failed' : 'passed';
}

/** Whether it is a file of tests, and not a test of one. */
export function isTestFile({ name, file, nesting }) {
  return nesting === 0 && /\.test\.[cm]?[jt]s$/.test(name) && (file === undefined || file.endsWith(name));
}
