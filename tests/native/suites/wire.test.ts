/** Hostile and broken peers against servers on the QuickJS host. */
import { defineNativeRun } from './run.ts';

defineNativeRun('tests/wire/head.test.ts');
defineNativeRun('tests/wire/framing.test.ts');
defineNativeRun('tests/wire/bodies.test.ts');
defineNativeRun('tests/wire/limits.test.ts');
defineNativeRun('tests/wire/replies.test.ts');
defineNativeRun('tests/wire/static-paths.test.ts');
