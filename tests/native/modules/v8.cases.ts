import v8 from 'node:v8';
import { cases } from '../harness/cases.ts';

const format = "the format is V8's; use JSON or `structuredClone`";
const profile = 'run the application on Node to profile it';
const more = v8 as unknown as Record<string, (...args: unknown[]) => unknown>;

export default cases(
  'v8',
  {
    getHeapStatistics: [
      () => Object.entries(v8.getHeapStatistics()).every(([, value]) => typeof value === 'number'),
      () => v8.getHeapStatistics().used_heap_size > 0,
    ],
    getHeapSpaceStatistics: [() => Array.isArray(v8.getHeapSpaceStatistics())],
    getHeapCodeStatistics: [() => Object.keys(v8.getHeapCodeStatistics())],
    cachedDataVersionTag: [() => typeof v8.cachedDataVersionTag()],
    setFlagsFromString: [() => v8.setFlagsFromString('--no-opt'), () => v8.setFlagsFromString(5 as never)],
    setHeapSnapshotNearHeapLimit: [() => typeof v8.setHeapSnapshotNearHeapLimit],
    takeCoverage: [() => v8.takeCoverage()],
    stopCoverage: [() => v8.stopCoverage()],
    isStringOneByteRepresentation: [() => ['abc', 'ü', '€'].map((text) => more['isStringOneByteRepresentation']?.(text))],
    startupSnapshot: [() => Boolean(v8.startupSnapshot.isBuildingSnapshot()), () => Object.keys(v8.startupSnapshot).sort()],
    serialize: [() => v8.serialize(1).length],
    deserialize: [() => v8.deserialize(Buffer.from('ff0f4902', 'hex')) as unknown],
    Serializer: [() => typeof new v8.Serializer()],
    Deserializer: [() => typeof new v8.Deserializer(Buffer.alloc(4))],
    DefaultSerializer: [() => typeof new v8.DefaultSerializer()],
    DefaultDeserializer: [() => typeof new v8.DefaultDeserializer(Buffer.alloc(4))],
    GCProfiler: [() => typeof new v8.GCProfiler()],
    promiseHooks: [() => typeof v8.promiseHooks.onInit(() => {})],
    getHeapSnapshot: [() => typeof v8.getHeapSnapshot()],
    writeHeapSnapshot: [() => typeof v8.writeHeapSnapshot(`${process.env['TMPDIR'] ?? '/tmp'}/fulmar-case-${process.pid}.heapsnapshot`)],
    queryObjects: [() => more['queryObjects']?.(class {})],
    getCppHeapStatistics: [() => typeof more['getCppHeapStatistics']?.()],
    setHeapProfileNearHeapLimit: [() => typeof more['setHeapProfileNearHeapLimit']?.(1)],
    startCpuProfile: [() => typeof more['startCpuProfile']?.()],
    startHeapProfile: [() => typeof more['startHeapProfile']?.()],
  },
  {
    missing: {
      serialize: format,
      deserialize: format,
      Serializer: format,
      Deserializer: format,
      DefaultSerializer: format,
      DefaultDeserializer: format,
      GCProfiler: profile,
      promiseHooks: 'use `AsyncLocalStorage`',
      getHeapSnapshot: profile,
      writeHeapSnapshot: profile,
      queryObjects: profile,
      getCppHeapStatistics: profile,
      setHeapProfileNearHeapLimit: profile,
      startCpuProfile: profile,
      startHeapProfile: profile,
    },
    since: { isStringOneByteRepresentation: 24 },
  },
);
