/**
 * How a random Express program is made smaller: fewer requests, fewer layers, simpler parts. Works on the
 * JSON of the model; knows no Express.
 */
import { without } from '../../harness/random/shrink.ts';
import type { LayerModel, ProgramModel, RouterModel } from './model.ts';

/** The programs one step smaller than one. */
export function* smallerPrograms(program: ProgramModel): Generator<ProgramModel> {
  for (const requests of without(program.requests)) yield { ...program, requests };
  if (program.pipelined) yield { ...program, pipelined: false };
  for (const app of smallerRouters(program.app)) yield { ...program, app };
  for (const [i, request] of program.requests.entries()) {
    const plain = { method: request.method ?? 'GET', path: request.path ?? '/' };
    if (JSON.stringify(plain) === JSON.stringify(request)) continue;
    yield { ...program, requests: program.requests.with(i, plain) };
  }
}

function* smallerRouters(router: RouterModel): Generator<RouterModel> {
  for (const layers of without(router.layers)) yield { ...router, layers };
  for (const params of without(router.params)) yield { ...router, params };
  for (const flag of ['strict', 'caseSensitive', 'mergeParams'] as const) if (router[flag]) yield { ...router, [flag]: false };
  for (const name of Object.keys(router.settings)) {
    const { [name]: _dropped, ...settings } = router.settings;
    yield { ...router, settings };
  }
  for (const [i, param] of router.params.entries()) {
    if (param.timing !== 'sync') yield { ...router, params: router.params.with(i, { ...param, timing: 'sync' }) };
  }
  for (const [i, layer] of router.layers.entries()) {
    for (const smaller of smallerLayers(layer)) yield { ...router, layers: router.layers.with(i, smaller) };
  }
}

function* smallerLayers(layer: LayerModel): Generator<LayerModel> {
  if (layer.path !== null && layer.type !== 'route') yield { ...layer, path: null };
  if (layer.path !== null && layer.path !== '/') yield { ...layer, path: '/' };
  if (Array.isArray(layer.path)) for (const path of layer.path) yield { ...layer, path };
  if (layer.type === 'mount') {
    for (const router of smallerRouters(layer.router)) yield { ...layer, router };
  } else if (layer.type === 'error') {
    if (layer.handler.timing !== 'sync') yield { ...layer, handler: { ...layer.handler, timing: 'sync' } };
  } else {
    yield* smallerHandlers(layer);
  }
}

function* smallerHandlers(layer: Extract<LayerModel, { type: 'use' | 'route' }>): Generator<LayerModel> {
  if (layer.handlers.length > 1) for (const handlers of without(layer.handlers)) yield { ...layer, handlers } as LayerModel;
  if (layer.type === 'route' && layer.chained) yield { ...layer, chained: false };
  for (const [i, handler] of layer.handlers.entries()) {
    const replace = (smaller: object): LayerModel =>
      ({ ...layer, handlers: (layer.handlers as readonly object[]).with(i, smaller) }) as LayerModel;
    if (handler.timing !== 'sync') yield replace({ ...handler, timing: 'sync' });
    if (typeof handler.action === 'string') continue;
    if (handler.action.do !== 'next') yield replace({ ...handler, action: { do: 'next' } });
    if (handler.action.do === 'reply' && handler.action.kind !== 'end')
      yield replace({ ...handler, action: { ...handler.action, kind: 'end' } });
    if (handler.action.do === 'reply' && handler.action.status !== null)
      yield replace({ ...handler, action: { ...handler.action, status: null } });
  }
}
