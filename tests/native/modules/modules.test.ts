/**
 * Node's modules on the QuickJS host: every member's programs give there what they give on Node.
 *   NATIVE_ONLY=path,fs   only these modules
 */
import { defineModuleTests, loadCases } from '../harness/module-tests.ts';

for (const file of await loadCases()) defineModuleTests(file);
