import path from 'node:path';
import { cases } from '../harness/cases.ts';

type Paths = typeof path.posix;

const samples = [
  '',
  '.',
  '..',
  '/',
  '//',
  'a',
  'a/',
  '/a',
  '/a/b/../c/./d//e',
  'a/../..',
  '../../a',
  'a.txt',
  '.hidden',
  '.hidden.txt',
  'a..',
  'dir/file.tar.gz',
  '/x/y.z/',
  'C:\\a\\..\\b',
  'C:',
  'C:a',
  'c:/x/y',
  '\\\\server\\share\\file',
  '\\\\server\\share',
  'a\\b/c',
  '\\a',
  '//a/b/c',
];
const pairs = samples.flatMap((first) => ['', 'a', '../b', '/c', 'C:\\d', '.'].map((second) => [first, second] as const));

const each = (paths: Paths, name: 'normalize' | 'dirname' | 'basename' | 'extname' | 'isAbsolute' | 'parse' | 'toNamespacedPath') => () =>
  samples
    .filter((sample) => paths === path.posix || !/^C:a?$/.test(sample) || name !== 'toNamespacedPath')
    .map((sample) => paths[name](sample));

const kinds = Object.fromEntries(
  (['posix', 'win32'] as const).flatMap((kind) => {
    const paths = path[kind];
    const prefix = `${kind}.`;
    return Object.entries({
      normalize: [each(paths, 'normalize'), () => paths.normalize(5 as never)],
      dirname: [each(paths, 'dirname'), () => paths.dirname(null as never)],
      basename: [
        each(paths, 'basename'),
        () => [paths.basename('a/b.html', '.html'), paths.basename('b', 'b'), paths.basename('/a/b', 'b')],
        () => ['//', 'b//', 'a/b/', 'C:/', 'C:\\', 'C:b\\', 'b', '/b/', '.html/'].map((path) => paths.basename(path, '.b')),
        () => ['x//', 'b//', 'a/b/', 'x\\b\\', 'ab/'].map((path) => [paths.basename(path, 'ab'), paths.basename(path, 'a/b')]),
        () => paths.basename('a', 5 as never),
      ],
      extname: [each(paths, 'extname'), () => paths.extname(undefined as never)],
      isAbsolute: [each(paths, 'isAbsolute'), () => paths.isAbsolute({} as never)],
      parse: [each(paths, 'parse'), () => paths.parse(5 as never)],
      toNamespacedPath: [() => paths.toNamespacedPath('C:\\a\\b'), () => paths.toNamespacedPath(5 as never)],
      join: [() => pairs.map(([a, b]) => paths.join(a, b)), () => paths.join(), () => paths.join('a', 5 as never)],
      resolve: [() => samples.map((sample) => paths.resolve('/base', sample)), () => paths.resolve('a', 5 as never)],
      relative: [
        () =>
          pairs
            .filter(([a, b]) => b !== '/c' && !/^[\\/]|^$|\.\./.test(a))
            .map(([a, b]) => paths.relative(paths.resolve('/srv/base', a), paths.resolve('/srv/base', b))),
        () => paths.relative('a', 5 as never),
      ],
      format: [
        () => samples.map((sample) => paths.format(paths.parse(sample))),
        () => [
          paths.format({ name: 'a', ext: 'b' }),
          paths.format({ root: '/', base: 'c' }),
          paths.format({ dir: '/d', name: 'e', ext: '.f' }),
        ],
        () => paths.format('a' as never),
      ],
      matchesGlob: [
        () =>
          [
            ['a/b.js', 'a/*.js'],
            ['a/b/c.js', 'a/**/*.js'],
            ['a.ts', '*.{js,ts}'],
            ['b', '[a-c]'],
            ['a/b', '*'],
            ['ab', 'a?'],
            ['aab', '+(a|b)'],
            ['.a', '!(b)'],
            ['é', '[[:alpha:]]'],
            ['a/../b', '{a,b}'],
            ['A', '[!a]'],
            ['!a', '!a'],
            ['#', '#'],
            ['a/b/', 'a/*'],
            ['a//b', 'a/b'],
            ['//a/b', '//?/b'],
            ['c:/x', 'C:/x'],
            ['a03', 'a{01..05}'],
            ['', '**'],
          ].map(([text, pattern]) =>
            (paths as unknown as { matchesGlob(text: string, pattern: string): boolean }).matchesGlob(text as string, pattern as string),
          ),
      ],
      sep: [() => paths.sep],
      delimiter: [() => paths.delimiter],
      _makeLong: [() => (paths as unknown as Record<string, unknown>)['_makeLong'] === paths.toNamespacedPath],
      posix: [() => paths.posix === path.posix],
      win32: [() => paths.win32 === path.win32],
    }).map(([name, programs]) => [prefix + name, programs]);
  }),
) as Record<string, (() => unknown)[]>;

const own = Object.fromEntries(
  Object.keys(path.posix).map((name) => [
    name,
    [() => (path as unknown as Record<string, unknown>)[name] === (path.posix as unknown as Record<string, unknown>)[name]],
  ]),
);

export default cases(
  'path',
  { ...own, ...kinds },
  {
    since: {
      matchesGlob: 24,
      'posix.matchesGlob': 24,
      'win32.matchesGlob': 24,
      'win32.normalize': 24,
      'win32.join': 24,
      'win32.relative': 24,
      'win32.format': 24,
      'win32.resolve': 24,
    },
  },
);
