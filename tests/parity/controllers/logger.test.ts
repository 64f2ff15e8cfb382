/**
 * `Logger`: what the logger that an application was given is told.
 */
import 'reflect-metadata';
import { defineControllers, type Side, type Told } from './suite.ts';

const LEVELS = ['log', 'error', 'warn', 'debug', 'verbose', 'fatal'] as const;

/** Where it writes for now. */
let told: Told | null = null;
const logger = Object.fromEntries(LEVELS.map((level) => [level, (...given: unknown[]) => told?.note(level, ...given)]));

function ofLevels(n: Side, own: Told) {
  @n.Controller()
  class Logging {
    readonly named = new n.Logger('Cats');
    readonly bare = new n.Logger();
    @n.Get()
    get() {
      told = own;
      for (const level of LEVELS) {
        this.named[level]('one');
        this.named[level]('one', { two: 2 }, 'three');
        this.bare[level]('one');
        this.bare[level]('one', 'context');
        n.Logger[level]('one', 'context');
      }
      told = null;
      return LEVELS.map((level) => n.Logger.isLevelEnabled(level));
    }
  }
  @n.Module({ controllers: [Logging] })
  class App {}
  return App;
}

defineControllers([
  { name: 'a logger of the application is told what and in which context', app: ofLevels, options: { logger }, requests: ['/'] },
  { name: 'without a logger nothing is logged', app: ofLevels, options: { logger: false }, requests: ['/'] },
]);
