/**
 * The keys that decorators of documents keep their metadata under: those of `@nestjs/swagger`, which libraries for it
 * read as well.
 */

export const API = {
  operation: 'swagger/apiOperation',
  responses: 'swagger/apiResponse',
  produces: 'swagger/apiProduces',
  consumes: 'swagger/apiConsumes',
  tags: 'swagger/apiUseTags',
  parameters: 'swagger/apiParameters',
  headers: 'swagger/apiHeaders',
  properties: 'swagger/apiModelProperties',
  propertyNames: 'swagger/apiModelPropertiesArray',
  security: 'swagger/apiSecurity',
  excludedEndpoint: 'swagger/apiExcludeEndpoint',
  excludedController: 'swagger/apiExcludeController',
  extraModels: 'swagger/apiExtraModels',
  schema: 'swagger/apiSchema',
} as const;
