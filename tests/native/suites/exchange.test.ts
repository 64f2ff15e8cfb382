/** The contract of `exchange` and the parts above it, on the QuickJS host's engine. */
import { defineNativeRun } from './run.ts';

defineNativeRun('packages/fulmar/test/exchange/exchange.test.ts');
defineNativeRun('packages/fulmar/test/http/headers-in.test.ts');
