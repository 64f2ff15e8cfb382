/**
 * `DocumentBuilder`: what a document says besides its routes.
 */
import type { Given } from './given.ts';
import { said } from './given.ts';

export interface DocumentConfig {
  openapi: string;
  info: { title: string; description: string; version: string; [member: string]: unknown };
  tags: Given[];
  servers: { url: string; [member: string]: unknown }[];
  components: { securitySchemes?: Record<string, Given>; [member: string]: unknown };
  security?: Given[];
  externalDocs?: Given;
  [extension: `x-${string}`]: unknown;
}

/** Of 3.1 `nullable` is no word: schemas would say something else than their classes. */
const VERSION = /^3\.0\.\d+$/;

export class DocumentBuilder {
  readonly #document: DocumentConfig = {
    openapi: '3.0.0',
    info: { title: '', description: '', version: '1.0.0', contact: {} },
    tags: [],
    servers: [],
    components: {},
  };

  #inform(words: Given): this {
    Object.assign(this.#document.info, words);
    return this;
  }
  setTitle(title: string): this {
    return this.#inform({ title });
  }
  setDescription(description: string): this {
    return this.#inform({ description });
  }
  setVersion(version: string): this {
    return this.#inform({ version });
  }
  setTermsOfService(termsOfService: string): this {
    return this.#inform({ termsOfService });
  }
  setContact(name: string, url: string, email: string): this {
    return this.#inform({ contact: { name, url, email } });
  }
  setLicense(name: string, url: string): this {
    return this.#inform({ license: { name, url } });
  }

  /** @throws RangeError for a version that no document here has */
  setOpenAPIVersion(version: string): this {
    if (!VERSION.test(version)) throw new RangeError(`setOpenAPIVersion() takes a version 3.0.x, and this is ${String(version)}.`);
    this.#document.openapi = version;
    return this;
  }

  addServer(url: string, description?: string, variables?: Given): this {
    this.#document.servers.push({ url, ...said({ description, variables }) });
    return this;
  }
  setExternalDoc(description: string, url: string): this {
    this.#document.externalDocs = { description, url };
    return this;
  }
  addTag(name: string, description = '', externalDocs?: Given): this {
    this.#document.tags.push(said({ name, description, externalDocs }));
    return this;
  }

  /** @throws TypeError for a name that no extension has */
  addExtension(name: string, value: unknown): this {
    if (!name.startsWith('x-')) throw new TypeError(`addExtension() takes a name that begins with x-, and this is ${name}.`);
    this.#document[name as `x-${string}`] = value;
    return this;
  }

  addSecurity(name: string, scheme: Given): this {
    const { components } = this.#document;
    components.securitySchemes = { ...components.securitySchemes, [name]: scheme };
    return this;
  }
  addSecurityRequirements(name: string | Given, requirements: string[] = []): this {
    const one = typeof name === 'string' ? { [name]: requirements } : { ...name };
    this.#document.security = [...(this.#document.security ?? []), one];
    return this;
  }
  addBearerAuth(options: Given = { type: 'http' }, name = 'bearer'): this {
    return this.addSecurity(name, { scheme: 'bearer', bearerFormat: 'JWT', ...options });
  }
  addBasicAuth(options: Given = { type: 'http' }, name = 'basic'): this {
    return this.addSecurity(name, { type: 'http', scheme: 'basic', ...options });
  }
  addOAuth2(options: Given = { type: 'oauth2' }, name = 'oauth2'): this {
    return this.addSecurity(name, { type: 'oauth2', flows: {}, ...options });
  }
  addApiKey(options: Given = { type: 'apiKey' }, name = 'api_key'): this {
    return this.addSecurity(name, { type: 'apiKey', in: 'header', name, ...options });
  }
  addCookieAuth(cookieName = 'connect.sid', options: Given = { type: 'apiKey' }, securityName = 'cookie'): this {
    return this.addSecurity(securityName, { type: 'apiKey', in: 'cookie', name: cookieName, ...options });
  }

  build(): DocumentConfig {
    return this.#document;
  }
}
