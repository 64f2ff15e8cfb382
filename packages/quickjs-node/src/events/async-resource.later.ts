/**
 * `EventEmitterAsyncResource`: an emitter whose listeners run in the asynchronous context it was made in.
 */
import { AsyncResource, type AsyncResourceOptions } from 'node:async_hooks';
import { validateString } from '../shared/validators.ts';
import { type Emitter, EventEmitter } from './emitter.ts';

interface Options extends AsyncResourceOptions {
  readonly name?: string;
  readonly captureRejections?: boolean;
}

class EventEmitterReferencingAsyncResource extends AsyncResource {
  readonly #emitter: Emitter;
  constructor(emitter: Emitter, type: string, options?: Options) {
    super(type, options);
    this.#emitter = emitter;
  }
  get eventEmitter(): Emitter {
    return this.#emitter;
  }
}

export class EventEmitterAsyncResource extends EventEmitter {
  readonly #resource: EventEmitterReferencingAsyncResource;

  constructor(given?: Options | string) {
    const options = typeof given === 'string' ? undefined : given;
    if (typeof given !== 'string' && new.target === EventEmitterAsyncResource) validateString(options?.name, 'options.name');
    super(options);
    const name = typeof given === 'string' ? given : options?.name || new.target.name;
    this.#resource = new EventEmitterReferencingAsyncResource(this, name, options);
  }

  override emit(event: string | symbol, ...args: unknown[]): boolean {
    return this.#resource.runInAsyncScope(() => super.emit(event, ...args));
  }

  emitDestroy(): void {
    this.#resource.emitDestroy();
  }

  get asyncId(): number {
    return this.#resource.asyncId();
  }

  get triggerAsyncId(): number {
    return this.#resource.triggerAsyncId();
  }

  get asyncResource(): EventEmitterReferencingAsyncResource {
    return this.#resource;
  }
}
