/**
 * The keys that decorators keep their metadata under: Nest's, which libraries for it read as well.
 */

export const KEYS = {
  imports: 'imports',
  providers: 'providers',
  controllers: 'controllers',
  exports: 'exports',
  global: '__module:global__',
  path: 'path',
  host: 'host',
  version: '__version__',
  method: 'method',
  scope: 'scope:options',
  parameterTypes: 'design:paramtypes',
  propertyType: 'design:type',
  declaredDependencies: 'self:paramtypes',
  optionalDependencies: 'optional:paramtypes',
  propertyDependencies: 'self:properties_metadata',
  optionalProperties: 'optional:properties_metadata',
  routeArguments: '__routeArguments__',
  catches: '__filterCatchExceptions__',
  pipes: '__pipes__',
  guards: '__guards__',
  interceptors: '__interceptors__',
  filters: '__exceptionFilters__',
  render: '__renderTemplate__',
  httpCode: '__httpCode__',
  headers: '__headers__',
  redirect: '__redirect__',
  passthrough: '__responsePassthrough__',
  sse: '__sse__',
  injectable: '__injectable__',
  controller: '__controller__',
  catchMark: '__catch__',
  /** Ours: what `@Get()` and its like are given beside a path. */
  routeOptions: 'fulmar:route-options',
  uses: '__uses__',
  /** On a method: some of its parameters are given schemas. */
  checksParameters: 'fulmar:checks-parameters',
} as const;
