/**
 * `ApplicationConfig`: what the main file has said of all routes, for packages that ask as they are made. Only read.
 */
import type { VersioningOptions } from '../nest-types.ts';

export class ApplicationConfig {
  #prefix = '';
  #versioning: VersioningOptions | undefined;

  /** As it was given; empty without one. */
  getGlobalPrefix(): string {
    return this.#prefix;
  }
  getVersioning(): VersioningOptions | undefined {
    return this.#versioning;
  }

  /** @internal By the application. */
  note({ prefix, versioning }: { prefix?: string; versioning?: VersioningOptions }): void {
    if (prefix !== undefined) this.#prefix = prefix;
    if (versioning !== undefined) this.#versioning = versioning;
  }
}
