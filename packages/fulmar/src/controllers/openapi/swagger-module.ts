/**
 * `SwaggerModule`: the document of an application, and routes of that application that serve it: as JSON, as YAML, and
 * as the app's own page.
 */
import { serveDocument, ServedDocument } from '../../app/openapi/document-routes.ts';
import type { NestApplication } from '../application/application.ts';
import { type Checks, checkOptions, isBoolean, isFunction, isListOf } from '../../app/checked-options.ts';
import type { DocumentConfig } from './document-builder.ts';
import { documentOf, type OpenAPIObject, type SwaggerDocumentOptions } from './document.ts';

export interface SwaggerCustomOptions {
  /** Where the global prefix goes before. */
  useGlobalPrefix?: boolean;
  /** Default: the path of the page with `-json`. */
  jsonDocumentUrl?: string;
  yamlDocumentUrl?: string;
}

const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';
const DOCUMENT_CHECKS: Checks<SwaggerDocumentOptions> = {
  include: [(value) => isListOf((one) => typeof one === 'function', value), 'a list of modules'],
  extraModels: [(value) => isListOf((one) => typeof one === 'function', value), 'a list of classes'],
  ignoreGlobalPrefix: isBoolean,
  operationIdFactory: isFunction('(controllerKey, methodKey, version)'),
  autoTagControllers: isBoolean,
};
const SETUP_CHECKS: Checks<SwaggerCustomOptions> = {
  useGlobalPrefix: isBoolean,
  jsonDocumentUrl: [isText, 'a path'],
  yamlDocumentUrl: [isText, 'a path'],
};

const slashed = (path: string): string => `/${path.replaceAll(/^\/+|\/+$/g, '')}`;

export class SwaggerModule {
  /** @throws TypeError for options that are none, and for members of classes of which nobody says what they are */
  static createDocument(app: NestApplication, config: DocumentConfig, options: SwaggerDocumentOptions = {}): OpenAPIObject {
    checkOptions('SwaggerModule.createDocument', options, DOCUMENT_CHECKS);
    const { container, rules } = app.describe(options.ignoreGlobalPrefix === true);
    return documentOf(container, rules, config, options);
  }

  /** A function is called with the first request for the document. @throws TypeError for options that are none; Error without `swagger-ui-dist` */
  static setup(
    path: string,
    app: NestApplication,
    document: OpenAPIObject | (() => OpenAPIObject),
    options: SwaggerCustomOptions = {},
  ): void {
    checkOptions('SwaggerModule.setup', options, SETUP_CHECKS);
    const prefix = options.useGlobalPrefix === true ? app.describe(false).rules.prefix.path : '';
    const at = (own: string): string => `${prefix}${slashed(own)}`;
    const places = {
      json: at(options.jsonDocumentUrl ?? `${path}-json`),
      yaml: at(options.yamlDocumentUrl ?? `${path}-yaml`),
      docs: at(path),
      alsoAt: ['/', '/index.html'],
    };
    let made: ServedDocument | undefined;
    const make = (): ServedDocument => new ServedDocument(typeof document === 'function' ? document() : document);
    serveDocument(app.app, places, () => (made ??= make()));
  }
}
