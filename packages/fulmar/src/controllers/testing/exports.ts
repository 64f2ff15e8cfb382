/**
 * All that `fulmar/controllers/testing` exports, by name. Only exports.
 */
export { type OverrideBy, type OverrideByFactoryOptions, type OverrideModule, Test, TestingModuleBuilder } from './builder.ts';
export { createMock, type CreateMockOptions, type Mocked, type MockFactory } from './mock.ts';
export { createMockExecutionContext, type MockContextParts } from './mock-context.ts';
export { createMockRequest, type MockRequest, type MockRequestParts } from './mock-request.ts';
export { createMockResponse, MockResponse } from './mock-response.ts';
export { TestingModule } from './testing-module.ts';
