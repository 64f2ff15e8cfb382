/**
 * `node:v8`: the engine here is QuickJS. Figures of its heap are told under V8's names; serialisation and
 * profiles, which are V8's own formats, are not available.
 */
import ops from 'fulmar:ops';
import { validateString } from '../shared/validators.ts';
import { unavailable, unavailableClass } from '../shared/unavailable.ts';

const format = "the format is V8's; use JSON or structuredClone";
const profile = 'run the application on Node to profile it';

function getHeapStatistics(): Record<string, number> {
  const [total, used, external] = ops.heap();
  return {
    total_heap_size: total,
    total_heap_size_executable: 0,
    total_physical_size: total,
    total_available_size: Math.max(0, ops.memoryLimit() - used),
    used_heap_size: used,
    heap_size_limit: ops.memoryLimit(),
    malloced_memory: used,
    peak_malloced_memory: total,
    does_zap_garbage: 0,
    number_of_native_contexts: 1,
    number_of_detached_contexts: 0,
    total_global_handles_size: 0,
    used_global_handles_size: 0,
    external_memory: external,
  };
}

const startupSnapshot = {
  isBuildingSnapshot: (): boolean => false,
  addSerializeCallback: notBuilding,
  addDeserializeCallback: notBuilding,
  setDeserializeMainFunction: notBuilding,
};

function notBuilding(): never {
  throw Object.assign(new Error('Operation cannot be invoked when not building startup snapshot'), {
    code: 'ERR_NOT_BUILDING_SNAPSHOT',
  });
}

const hook = unavailable('v8.promiseHooks', 'use AsyncLocalStorage');

export default {
  getHeapStatistics,
  getHeapSpaceStatistics: (): never[] => [],
  getHeapCodeStatistics: () => ({
    code_and_metadata_size: 0,
    bytecode_and_metadata_size: 0,
    external_script_source_size: 0,
    cpu_profiler_metadata_size: 0,
  }),
  getCppHeapStatistics: unavailable('v8.getCppHeapStatistics', profile),
  cachedDataVersionTag: (): number => 0,
  setFlagsFromString(flags: unknown): void {
    // Flags tune V8; there is none to tune.
    validateString(flags, 'flags');
  },
  setHeapSnapshotNearHeapLimit: (): void => {},
  setHeapProfileNearHeapLimit: unavailable('v8.setHeapProfileNearHeapLimit', profile),
  getHeapSnapshot: unavailable('v8.getHeapSnapshot', profile),
  writeHeapSnapshot: unavailable('v8.writeHeapSnapshot', profile),
  takeCoverage: (): void => {},
  stopCoverage: (): void => {},
  startCpuProfile: unavailable('v8.startCpuProfile', profile),
  startHeapProfile: unavailable('v8.startHeapProfile', profile),
  queryObjects: unavailable('v8.queryObjects', profile),
  isStringOneByteRepresentation(content: unknown): boolean {
    validateString(content, 'content');
    return /^[\0-\xff]*$/.test(content as string);
  },
  serialize: unavailable('v8.serialize', format),
  deserialize: unavailable('v8.deserialize', format),
  Serializer: unavailableClass('v8.Serializer', format),
  Deserializer: unavailableClass('v8.Deserializer', format),
  DefaultSerializer: unavailableClass('v8.DefaultSerializer', format),
  DefaultDeserializer: unavailableClass('v8.DefaultDeserializer', format),
  GCProfiler: unavailableClass('v8.GCProfiler', profile),
  promiseHooks: { onInit: hook, onBefore: hook, onAfter: hook, onSettled: hook, createHook: hook },
  startupSnapshot,
};
