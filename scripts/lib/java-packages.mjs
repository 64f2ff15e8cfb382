/**
 * Libraries of Java that tests of `fulmar/polyglot` use, in the cache folder: fetched by Maven from the registry that it
 * knows, in the versions and with the sums that stand here. Nothing that is published needs them.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { capture, isMain, root, runMain, step } from './run.mjs';

/** Asked for; what they need comes with them. */
const asked = [
  ['com.fasterxml.jackson.core', 'jackson-databind', '2.17.2'],
  ['org.apache.commons', 'commons-text', '1.12.0'],
];
/** SHA-256 of all files. */
const files = {
  'commons-lang3-3.14.0.jar': '7b96bf3ee68949abb5bc465559ac270e0551596fa34523fddf890ec418dde13c',
  'commons-text-1.12.0.jar': 'de023257ff166044a56bd1aa9124e843cd05dac5806cc705a9311f3556d5a15f',
  'jackson-annotations-2.17.2.jar': '873a606e23507969f9bbbea939d5e19274a88775ea5a169ba7e2d795aa5156e1',
  'jackson-core-2.17.2.jar': '721a189241dab0525d9e858e5cb604d3ecc0ede081e2de77d6f34fa5779a5b46',
  'jackson-databind-2.17.2.jar': 'c04993f33c0f845342653784f14f38373d005280e6359db5f808701cfae73c0c',
};
const PLUGIN = 'org.apache.maven.plugins:maven-dependency-plugin:3.6.1';

const folder = join(root, 'node_modules', '.cache', 'fulmar', 'java');
const stamp = join(folder, 'installed');
const wanted = JSON.stringify([asked, files]);

/** Paths of the libraries by their names without versions; undefined where they were not fetched. */
export function javaLibrariesOfTests() {
  if (!existsSync(stamp)) return undefined;
  return Object.fromEntries(Object.keys(files).map((name) => [name.replace(/-[\d.]+\.jar$/, ''), join(folder, name)]));
}

const project = () => `<project>
  <modelVersion>4.0.0</modelVersion><groupId>fulmar</groupId><artifactId>tests</artifactId><version>1</version>
  <dependencies>${asked
    .map(
      ([group, name, version]) =>
        `<dependency><groupId>${group}</groupId><artifactId>${name}</artifactId><version>${version}</version></dependency>`,
    )
    .join('')}</dependencies>
</project>
`;

/** Fetches them unless they are there: 3 MB, and Maven's own plugins. Without Maven or its registry there are none, and what needs them is skipped. */
export async function installJavaLibraries() {
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return 'up to date';
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const pom = join(folder, 'pom.xml');
  writeFileSync(pom, project());
  const args = ['-q', '-B', '-f', pom, `${PLUGIN}:copy-dependencies`, `-DoutputDirectory=${folder}`, '-DincludeScope=runtime'];
  const { code, output } = await capture('mvn', args).catch((error) => ({ code: 1, output: String(error) }));
  if (code !== 0) return `not installed: mvn copy-dependencies failed: ${output.trim().split('\n').at(-1)}`;
  for (const [name, sum] of Object.entries(files)) {
    const found = existsSync(join(folder, name))
      ? createHash('sha256')
          .update(readFileSync(join(folder, name)))
          .digest('hex')
      : 'none';
    if (found !== sum) return `not installed: ${name} has the sum ${found}, and ${sum} is expected`;
  }
  writeFileSync(stamp, wanted);
  return asked.map(([, name, version]) => `${name} ${version}`).join(', ');
}

if (isMain(import.meta.url)) await runMain(() => step('setup: java libraries', installJavaLibraries));
