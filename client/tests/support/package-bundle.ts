import { join, relative } from 'node:path';
import { rolldown } from 'rolldown';

export interface Bundle {
  readonly code: string;
  /** Files of which something is left, without the folder of packages: `@waybill/client/client/webhooks/signature.js`. */
  readonly files: readonly string[];
}

/** A program and what it uses of the packages that are installed in a folder, as one minified module. */
export async function bundleProgram(folder: string, program: string): Promise<Bundle> {
  const entry = '\0program';
  const build = await rolldown({
    input: entry,
    cwd: folder,
    platform: 'browser',
    plugins: [
      {
        name: 'program',
        resolveId: async function (id, importer) {
          if (id === entry) return id;
          // The program stands in the folder, so that its imports are looked for there.
          return importer === entry ? await this.resolve(id, join(folder, 'program.js')) : null;
        },
        load: (id) => (id === entry ? program : null),
      },
    ],
  });
  const { output } = await build.generate({ format: 'esm', minify: true, codeSplitting: false });
  await build.close();
  const { code, modules } = output[0];
  const files = Object.entries(modules).flatMap(([id, { renderedLength }]) =>
    id === entry || renderedLength === 0 ? [] : relative(join(folder, 'node_modules'), id),
  );
  return { code, files };
}
