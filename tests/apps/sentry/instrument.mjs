// The same for ES modules, with `--import`.
import * as Sentry from '@sentry/node';
import { options } from './options.cjs';

Sentry.init(options);
