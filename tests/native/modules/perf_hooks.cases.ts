/** Cases of `node:perf_hooks`; times themselves are not compared. */
import perf, { performance } from 'node:perf_hooks';
import { cases } from '../harness/cases.ts';

export default cases(
  'perf_hooks',
  {
    performance: [() => performance === globalThis.performance, () => Object.keys(performance.toJSON()).toSorted()],
    Performance: [() => new (perf as unknown as { Performance: new () => unknown }).Performance()],
    'Performance#now': [() => [typeof performance.now(), performance.now() <= performance.now()]],
    'Performance#timeOrigin': [() => performance.timeOrigin > 1_600_000_000_000],
    'Performance#mark': [
      () => performance.mark('a', { startTime: 5, detail: { x: 1 } }).toJSON(),
      () => (performance.mark as () => unknown)(),
      () => performance.mark('loopStart'),
      () => performance.mark('a', { startTime: -1 }),
      () => performance.mark('b').constructor.name,
    ],
    'Performance#measure': [
      () => {
        performance.mark('m1', { startTime: 10 });
        performance.mark('m2', { startTime: 30 });
        return [performance.measure('between', 'm1', 'm2').toJSON(), performance.measure('m', { start: 1, end: 4, detail: 'd' }).toJSON()];
      },
      () => performance.measure('x', { start: 1, duration: 2 }).duration,
      () => performance.measure('x', 'no such mark'),
      () => performance.measure('x', { detail: 1 }).startTime,
    ],
    'Performance#clearMarks': [
      () => {
        performance.mark('gone');
        performance.clearMarks('gone');
        return performance.getEntriesByName('gone').length;
      },
    ],
    'Performance#clearMeasures': [
      () => {
        performance.measure('gone', { start: 0, end: 1 });
        performance.clearMeasures('gone');
        return performance.getEntriesByName('gone').length;
      },
    ],
    'Performance#clearResourceTimings': [() => performance.clearResourceTimings()],
    'Performance#setResourceTimingBufferSize': [() => performance.setResourceTimingBufferSize(10)],
    'Performance#getEntries': [() => Array.isArray(performance.getEntries())],
    'Performance#getEntriesByName': [
      () => {
        performance.mark('n', { startTime: 3 });
        return performance.getEntriesByName('n', 'mark').map((entry) => entry.startTime);
      },
    ],
    'Performance#getEntriesByType': [
      () => performance.getEntriesByType('nothing' as never),
      () => (performance.getEntriesByType as () => unknown)(),
    ],
    'Performance#eventLoopUtilization': [() => Object.keys(performance.eventLoopUtilization()).toSorted()],
    'Performance#nodeTiming': [
      () => [performance.nodeTiming.name, performance.nodeTiming.entryType, typeof performance.nodeTiming.duration],
    ],
    'Performance#timerify': [() => performance.timerify((a: number) => a + 1)(1), () => performance.timerify(1 as never)],
    'Performance#toJSON': [() => typeof performance.toJSON()],
    'Performance#markResourceTiming': [
      () => {
        const at = {
          startTime: 1,
          endTime: 2,
          postRedirectStartTime: 1,
          encodedBodySize: 3,
          decodedBodySize: 3,
          finalConnectionTimingInfo: {},
        };
        const args = [at, 'http://localhost/', 'fetch', globalThis, '', {}, 200, ''];
        (performance.markResourceTiming as (...args: unknown[]) => unknown)(...args);
        const made = performance.getEntriesByType('resource').map(({ name, duration }) => [name, duration]);
        performance.clearResourceTimings();
        return made;
      },
    ],
    'Performance#onresourcetimingbufferfull': [() => (performance as unknown as Record<string, unknown>)['onresourcetimingbufferfull']],
    PerformanceEntry: [() => new perf.PerformanceEntry()],
    'PerformanceEntry#toJSON': [() => performance.mark('j', { startTime: 1 }).toJSON()],
    'PerformanceEntry#name': [() => performance.mark('j', { startTime: 1 }).name],
    'PerformanceEntry#entryType': [() => performance.mark('j').entryType],
    'PerformanceEntry#startTime': [() => performance.mark('j', { startTime: 2 }).startTime],
    'PerformanceEntry#duration': [() => performance.mark('j').duration],
    PerformanceMark: [() => new perf.PerformanceMark('x', { startTime: 2 }).toJSON()],
    'PerformanceMark#detail': [() => performance.mark('d', { detail: [1] }).detail],
    'PerformanceMark#toJSON': [() => performance.mark('d', { startTime: 2, detail: [1] }).toJSON()],
    PerformanceMeasure: [() => new (perf.PerformanceMeasure as new () => unknown)()],
    'PerformanceMeasure#detail': [() => performance.measure('d', { start: 0, end: 1, detail: 'x' }).detail],
    PerformanceObserver: [
      () => new perf.PerformanceObserver(1 as never),
      () =>
        new Promise((resolve) => {
          const observer = new perf.PerformanceObserver((list, self) => {
            self.disconnect();
            resolve(list.getEntries().map((entry) => entry.name));
          });
          observer.observe({ entryTypes: ['mark'] });
          performance.mark('seen 1');
          performance.mark('seen 2');
        }),
    ],
    'PerformanceObserver#observe': [() => new perf.PerformanceObserver(() => {}).observe({} as never)],
    'PerformanceObserver#disconnect': [() => new perf.PerformanceObserver(() => {}).disconnect()],
    'PerformanceObserver#takeRecords': [() => new perf.PerformanceObserver(() => {}).takeRecords()],
    'PerformanceObserver.supportedEntryTypes': [() => perf.PerformanceObserver.supportedEntryTypes.includes('mark')],
    PerformanceObserverEntryList: [() => new (perf.PerformanceObserverEntryList as new () => unknown)()],
    'PerformanceObserverEntryList#getEntries': [
      () =>
        new Promise((resolve) => {
          new perf.PerformanceObserver((list, self) => {
            self.disconnect();
            resolve([
              list.getEntriesByType('mark').length,
              list.getEntriesByName('one').length,
              list.getEntriesByName('one', 'measure').length,
            ]);
          }).observe({ type: 'mark' });
          performance.mark('one');
        }),
    ],
    PerformanceResourceTiming: [() => new (perf as unknown as Record<string, new () => unknown>)['PerformanceResourceTiming']!()],
    monitorEventLoopDelay: [
      () => {
        const histogram = perf.monitorEventLoopDelay({ resolution: 1 });
        return [histogram.enable(), histogram.enable(), histogram.disable(), histogram.disable()];
      },
      () => perf.monitorEventLoopDelay({ resolution: 0 }),
    ],
    createHistogram: [
      () => {
        const histogram = perf.createHistogram();
        for (const value of [1, 2, 3, 4]) histogram.record(value);
        return [histogram.count, histogram.min, histogram.max, histogram.mean, histogram.percentile(50), histogram.exceeds];
      },
      () => perf.createHistogram().record(0),
      () => perf.createHistogram().percentile(0),
      () => perf.createHistogram().min,
    ],
    eventLoopUtilization: [() => typeof performance.eventLoopUtilization().utilization],
    timerify: [() => typeof performance.timerify(() => {})],
    constants: [() => perf.constants.NODE_PERFORMANCE_GC_MAJOR],
  },
  {
    differs: { 'Performance#markResourceTiming': 'requests are not timed: it does nothing' },
    since: { eventLoopUtilization: 25, timerify: 25 },
  },
);
