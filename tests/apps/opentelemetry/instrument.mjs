// Tracing for ES modules, loaded with `--import`: the loader hook first, then the same set-up.
import { register } from 'node:module';

register('@opentelemetry/instrumentation/hook.mjs', import.meta.url);
await import('./instrument.cjs');
