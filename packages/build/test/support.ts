/** Bundles a few files that exist only in a test, with plugins under test. */
import { rolldown, type OutputChunk, type Plugin, type RolldownOptions } from 'rolldown';

/** Files by absolute path; the first one is the entry unless `input` says otherwise. */
export async function bundleFiles(files: Readonly<Record<string, string>>, options: RolldownOptions): Promise<OutputChunk[]> {
  const memory: Plugin = {
    name: 'memory',
    resolveId(id, importer) {
      if (id in files) return id;
      if (!id.startsWith('.') || importer === undefined) return null;
      const path = new URL(id, `file://${importer.replace(/\?.*$/, '')}`).pathname;
      return path in files ? path : null;
    },
    load: (id) => (id in files ? { code: files[id] as string, moduleType: id.endsWith('.ts') ? 'ts' : 'js' } : null),
  };
  const build = await rolldown({
    input: Object.keys(files)[0] as string,
    ...options,
    plugins: [options.plugins ?? [], memory],
  });
  try {
    const { output } = await build.generate({ format: 'cjs', ...(Array.isArray(options.output) ? options.output[0] : options.output) });
    return output.filter((item): item is OutputChunk => item.type === 'chunk');
  } finally {
    await build.close();
  }
}
