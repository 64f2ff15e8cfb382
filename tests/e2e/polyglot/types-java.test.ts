/** `fulmar polyglot types` of Java: what it writes is found by TypeScript, agrees with what calls give and take, and names faults. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { java } from '../../../packages/fulmar/src/polyglot/index.ts';
import { addFile, fulmar } from '../cli/support.ts';
import { check, EXACT, project } from './typed.ts';

const { problem, library } = await java.look();
const home = library?.replace(/\/lib\/.*$/, '') ?? '';
const noJdk = existsSync(join(home, 'bin/javac')) ? false : `there is no JDK in ${home}`;
const skip = problem ?? noJdk;

const model = `package com.acme;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.*;
import java.util.*;
import java.util.concurrent.CompletableFuture;
import java.util.function.*;
import java.util.stream.*;

/** Birds. */
public class Model {
  public enum Kind { SMALL, LARGE }
  public record Point(int x, List<String> names) {}
  public interface Named { String getName(); }
  public static class Box<T extends Number> implements Iterable<T> {
    private final List<T> all = new ArrayList<>();
    /** Adds one. */
    public Box<T> add(T one) { all.add(one); return this; }
    public Iterator<T> iterator() { return all.iterator(); }
  }
  public static final int MAX = 7;
  public static String text = "t";
  public String name;
  private int hidden;

  static { if (System.getProperty("fulmar.types") != null) throw new IllegalStateException("it was run"); }

  public Model(String name) { this.name = name; }
  public int getLength() { return name.length(); }
  public boolean isEmpty() { return name.isEmpty(); }
  public Model join(String other) { return new Model(name + other); }
  public void rename(String to) { name = to; }

  public static long small() { return 1; }
  public static long big() { return Long.MAX_VALUE; }
  public static Integer boxed(Integer a) { return a + 1; }
  public static double half(double a) { return a / 2; }
  public static char letter() { return 'x'; }
  public static BigInteger huge() { return BigInteger.TWO.pow(80); }
  public static BigDecimal price(BigDecimal a) { return a; }
  public static byte[] bytes(byte[] a) { return a; }
  public static int[] ints(int... a) { return a; }
  public static double[][] grid(double[][] a) { return a; }
  public static String[] words(String[] a) { return a; }
  public static List<String> list(List<String> a) { return a; }
  public static Set<Integer> set(Set<Integer> a) { return a; }
  public static Map<String, Integer> map(Map<String, Integer> a) { return a; }
  public static Map<Integer, String> keyed(Map<Integer, String> a) { return a; }
  public static Optional<String> maybe(boolean a) { return a ? Optional.of("some") : Optional.empty(); }
  public static OptionalInt count() { return OptionalInt.of(3); }
  public static Kind kind(Kind a) { return a; }
  public static Point point(Point a) { return a; }
  public static List<Point> points() { return List.of(new Point(1, List.of("a"))); }
  public static Instant time(Instant a) { return a; }
  public static LocalDate day(LocalDate a) { return a; }
  public static UUID id() { return new UUID(0, 1); }
  public static CompletableFuture<String> later() { return CompletableFuture.supplyAsync(() -> "later"); }
  public static CompletableFuture<Void> nothing() { return CompletableFuture.completedFuture(null); }
  public static Stream<Integer> stream() { return Stream.of(1, 2); }
  public static int twice(IntBinaryOperator by, int a) { return by.applyAsInt(a, 2); }
  public static Function<Integer, Integer> adder(int by) { return a -> a + by; }
  public static String greet(Named one) { return "hello " + one.getName(); }
  public static <T extends Number> Box<T> box(T a) { return new Box<T>().add(a); }
  public static String over(int a) { return "int"; }
  public static String over(String a) { return "String"; }
  public static Map.Entry<String, Integer> entry() { return Map.entry("a", 1); }
  public static Other other() { return new Other(); }
  public static Object any() { return 1; }
  public sealed interface Shape permits Circle, Unit {}
  public record Circle(double radius) implements Shape {}
  public enum Unit implements Shape { ONE }
  public static Shape shape(boolean round) { return round ? new Circle(2) : Unit.ONE; }
}
`;
const other = 'package com.acme;\npublic class Other { public int value() { return 5; } }\n';

const app = `import Model, { type Box, type Circle, type Kind, type Point } from './com/acme/Model.java';
import { Decimal, java, kwargs, NdArray } from 'fulmar/polyglot';
${EXACT}
const model = await new Model('north');
is<string>()(await model.name);
is<number>()(await model.length);
is<boolean>()(await model.empty);
is<number>()(await model.join('x').then((joined) => joined.length));
is<null>()(await model.rename('south'));
is<number>()(await Model.MAX);
is<string>()(await Model.text);
is<number | bigint>()(await Model.small());
is<number | bigint>()(await Model.big());
is<number>()(await Model.boxed(1));
is<number>()(await Model.half(3));
is<string>()(await Model.letter());
is<number | bigint>()(await Model.huge());
is<Decimal>()(await Model.price(new Decimal('1.10')));
is<Uint8Array>()(await Model.bytes(new Uint8Array([1, 2])));
is<Int32Array>()(await Model.ints(1, 2));
is<Float64Array[]>()(await Model.grid([[1, 2], [3]]));
is<Float64Array[]>()(await Model.grid(new NdArray(new Float64Array([1, 2]), [2, 1])));
is<string[]>()(await Model.words(['a']));
is<string[]>()(await Model.list(['a', 'b']));
is<Set<number>>()(await Model.set(new Set([1])));
is<Record<string, number>>()(await Model.map({ a: 1 }));
is<Map<number, string> | Record<string, never>>()(await Model.keyed(new Map([[1, 'a']])));
is<Map<number, string> | Record<string, never>>()(await Model.keyed(new Map()));
is<string | null>()(await Model.maybe(true));
is<string | null>()(await Model.maybe(false));
is<number | null>()(await Model.count());
is<'SMALL' | 'LARGE'>()(await Model.kind('LARGE'));
const kind: Kind = await Model.Kind.SMALL;
const point: Point = await Model.point({ x: 1, names: ['n'] });
is<readonly ['SMALL', number, string[]]>()([kind, point.x, point.names] as const);
is<Point[]>()(await Model.points());
is<Point>()(await Model.point(await new Model.Point(kwargs({ names: [], x: 2 }))));
is<Date>()(await Model.time(new Date(0)));
is<string>()(await Model.day('2024-02-29'));
is<string>()(await Model.id());
is<string>()(await Model.later());
is<null>()(await Model.nothing());
for await (const one of await Model.stream()) is<number>()(one);
is<number>()(await Model.twice((a, b) => a * b, 21));
is<number>()(await (await Model.adder(3))(4));
is<string>()(await Model.greet(async () => 'you'));
const box: Box = await Model.box(4);
for await (const one of await box.add(5)) is<number | bigint | Decimal>()(one);
is<string>()(await Model.over(1));
is<string>()(await Model['over(String)']('a'));
is<[string, number]>()(await Model.entry());
is<number>()(await (await Model.other()).value());
is<unknown>()(await Model.any());
is<Circle | 'ONE'>()(await Model.shape(true));
is<Circle | 'ONE'>()(await Model.shape(false));
is<number>()(await (await java.import<typeof import('./com/acme/Model.java')>('./com/acme/Model.java')).MAX);
console.log(JSON.stringify(told));
`;

const given = [
  ['north', 5, false, 6, null, 7, 't', 1, '9223372036854775807n', 2, 1.5, 'x', '1208925819614629174706176n', '1.10'],
  [
    ['Uint8Array', '1', '2'],
    ['Int32Array', '1', '2'],
    [{ 0: 1, 1: 2 }, { 0: 3 }],
    [{ 0: 1 }, { 0: 2 }],
    ['a'],
    ['a', 'b'],
    ['Set', 1],
    { a: 1 },
  ],
  [['Map', [1, 'a']], {}, 'some', null, 3, 'LARGE', ['SMALL', 1, ['n']], [{ x: 1, names: ['a'] }], { x: 2, names: [] }],
  ['1970-01-01T00:00:00.000Z', '2024-02-29', '00000000-0000-0000-0000-000000000001', 'later', null, 1, 2, 42, 7, 'hello you', 4, 5],
  ['int', 'String', ['a', 1], 5, 1, { radius: 2 }, 'ONE', 7],
].flat();

const files = { 'com/acme/Model.java': model, 'com/acme/Other.java': other };

describe('fulmar polyglot types of Java', { skip }, () => {
  it('writes beside a source what TypeScript finds for its import, and what calls give', async () => {
    const folder = project({ ...files, 'app.ts': app });
    const { code, stderr } = await fulmar(folder, ['polyglot', 'types', 'com/acme/Model.java']);
    assert.equal(code, 0, stderr);
    assert.match(stderr, /com\/acme\/Model\.d\.java\.ts: types of com\/acme\/Model\.java/);
    assert.equal(await check(folder), '');
    const run = await fulmar(folder, ['run', 'app.ts']);
    assert.deepEqual(JSON.parse(run.stdout || '[]'), given, run.stderr);
  });

  it('makes wrong calls errors of the compiler', async () => {
    const wrong = [
      'Model.boxed("x")',
      'Model.nowhere()',
      'Model.kind("HUGE")',
      'Model.point({ x: 1 })',
      'Model.twice((a: string) => 1, 1)',
      'new Model.Kind()',
      'new Model(1)',
      '(await new Model("a")).hidden',
    ];
    const folder = project({
      ...files,
      ...Object.fromEntries(wrong.map((one, at) => [`wrong${at}.ts`, `import Model from './com/acme/Model.java'; void (${one});`])),
    });
    await fulmar(folder, ['polyglot', 'types', 'com/acme/Model.java']);
    const told = await check(folder);
    for (const at of wrong.keys()) assert.match(told, new RegExp(`wrong${at}\\.ts\\(1,\\d+\\): error`), wrong[at] ?? '');
  });

  it('reads compiled classes of a class path by their names', async () => {
    const folder = project(files);
    execFileSync(join(home, 'bin/javac'), ['-d', 'classes', 'com/acme/Model.java', 'com/acme/Other.java'], { cwd: folder });
    execFileSync(join(home, 'bin/jar'), ['cf', 'model.jar', '-C', 'classes', '.'], { cwd: folder });
    addFile(folder, 'lib/readme', '');
    execFileSync('mv', ['model.jar', 'lib/model.jar'], { cwd: folder });
    for (const classPath of ['lib/*', 'lib/model.jar', 'lib:classes']) {
      const { code, stderr } = await fulmar(folder, ['polyglot', 'types', 'com.acme.Model', '--class-path', classPath]);
      assert.equal(code, 0, stderr);
    }
    addFile(
      folder,
      'app.ts',
      `import { java } from 'fulmar/polyglot';
const Model = await java.import<typeof import('./com.acme.Model.js')>('com.acme.Model', { options: { classPath: ['./lib/model.jar'] } });
const joined: number = await (await new Model('a')).join('b').then((one) => one.length);
const value: number = await (await Model.other()).value();
console.log(joined, value);`,
    );
    assert.equal(await check(folder), '');
    assert.equal((await fulmar(folder, ['run', 'app.ts'])).stdout, '2 5\n');
    addFile(folder, 'src/Uses.java', 'public class Uses { public static com.acme.Other other() { return new com.acme.Other(); } }');
    const env = { CLASSPATH: 'nowhere' };
    const uses = await fulmar(folder, ['polyglot', 'types', 'src/Uses.java', '--class-path=lib/model.jar'], { env });
    assert.equal(uses.code, 0, uses.stderr);
    assert.match(readFileSync(join(folder, 'src/Uses.d.java.ts'), 'utf8'), /value\(\): Promise<number>;[^]* other\(\): Promise<Other>;/);
    const without = await fulmar(folder, ['polyglot', 'types', 'src/Uses.java']);
    assert.match(without.stderr, /^fulmar: src\/Uses\.java:1: package com\.acme does not exist/);
    const jdk = await fulmar(folder, ['polyglot', 'types', 'java.util.ArrayList', '--out', 'list.d.ts']);
    assert.equal(jdk.code, 0, jdk.stderr);
    assert.match(readFileSync(join(folder, 'list.d.ts'), 'utf8'), /new \(argument1: number \| bigint\): Promise<ArrayList>;/);
  });

  it('tells the place of what does not compile, and what is missing', async () => {
    const folder = project({ 'Broken.java': 'public class Broken {\n  Nothing f() { return null; }\n}', 'Name.java': 'class Another {}' });
    const told = async (args: readonly string[], env = {}): Promise<string> => {
      const { code, stderr } = await fulmar(folder, ['polyglot', 'types', ...args], { env });
      assert.equal(code, 1, stderr);
      return stderr;
    };
    assert.match(await told(['Broken.java']), /^fulmar: Broken\.java:2: cannot find symbol/);
    assert.match(await told(['Name.java']), /Name\.java: it has no class Name: the class that is imported has the name of its file/);
    assert.match(await told(['Nowhere.java']), /cannot find Nowhere\.java/);
    assert.match(await told(['com.acme.Nothing']), /com\.acme\.Nothing: there is no class com\.acme\.Nothing on the class path/);
    assert.match(await told(['com.acme.Model', '--class-path', 'lib/a.jar']), /cannot find lib\/a\.jar, which --class-path names/);
    for (const name of ['lib/server/libjvm.so', 'bin/java']) addFile(folder, `jre/${name}`, '');
    const runtime = { FULMAR_JAVA_HOME: join(folder, 'jre') };
    assert.match(
      await told(['Broken.java'], runtime),
      /types of Java need its compiler, which .*\/jre \(by FULMAR_JAVA_HOME\) does not have: install a JDK/,
    );
    assert.match(await told(['Broken.java'], { FULMAR_JAVA_HOME: '/nowhere' }), /there is no \/nowhere \(FULMAR_JAVA_HOME\)/);
  });
});
