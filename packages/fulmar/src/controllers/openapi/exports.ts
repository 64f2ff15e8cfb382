/**
 * All that `fulmar/controllers/openapi` exports, by name. Only exports.
 */
export type { OpenAPIObject, OperationIdFactory, SwaggerDocumentOptions } from './document.ts';
export { DocumentBuilder, type DocumentConfig } from './document-builder.ts';
export { IntersectionType, OmitType, PartialType, PickType } from './mapped-types.ts';
export * from './operation-decorators.ts';
export * from './property-decorators.ts';
export * from './response-decorators.ts';
export { getSchemaPath, refs } from './schema-path.ts';
export { type SwaggerCustomOptions, SwaggerModule } from './swagger-module.ts';
