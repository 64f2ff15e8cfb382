import vm from 'node:vm';
import { cases } from '../harness/cases.ts';

const oneContext = 'QuickJS would need a second set of globals for each context';
const kindOf = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (error) {
    return (error as Error).name;
  }
};

export default cases(
  'vm',
  {
    Script: [
      () => new vm.Script('1 + 2').runInThisContext() as unknown,
      () => new vm.Script('var vmCase = 7; vmCase * 2').runInThisContext() as unknown,
      () => kindOf(() => new vm.Script('a b')),
      () => new vm.Script('1', { filename: 'x.js' }) instanceof vm.Script,
      () => kindOf(() => new vm.Script('throw new RangeError("x")').runInThisContext()),
    ],
    'Script#runInThisContext': [() => new vm.Script('typeof globalThis').runInThisContext() as unknown],
    'Script#createCachedData': [() => Buffer.isBuffer(new vm.Script('1').createCachedData())],
    'Script#runInContext': [() => new vm.Script('1').runInContext({}) as unknown],
    'Script#runInNewContext': [() => new vm.Script('1').runInNewContext() as unknown],
    createScript: [() => (vm as unknown as { createScript: (code: string) => vm.Script }).createScript('5').runInThisContext() as unknown],
    runInThisContext: [() => vm.runInThisContext('[1, 2].length') as unknown, () => vm.runInThisContext(5 as never) as unknown],
    runInContext: [() => vm.runInContext('1', {}) as unknown, () => vm.runInContext('1', null as never) as unknown],
    runInNewContext: [() => vm.runInNewContext('1') as unknown],
    createContext: [() => typeof vm.createContext()],
    isContext: [() => vm.isContext({}), () => vm.isContext(5 as never)],
    compileFunction: [
      () => (vm.compileFunction('return a + b', ['a', 'b']) as (a: number, b: number) => number)(1, 2),
      () => kindOf(() => vm.compileFunction('a b')),
      () => vm.compileFunction(5 as never),
      () => vm.compileFunction('', 5 as never),
    ],
    measureMemory: [() => typeof vm.measureMemory],
    constants: [() => Object.keys(vm.constants)],
  },
  {
    missing: {
      runInNewContext: oneContext,
      createContext: oneContext,
      'Script#runInNewContext': oneContext,
    },
    since: { constants: 22 },
  },
);
