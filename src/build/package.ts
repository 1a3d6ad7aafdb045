import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import own from "../../package.json";

export const root = join(import.meta.dir, "../..");

/** The `package.json` fields that all packages of Parley share. */
export const commonFields = { version: own.version, license: own.license, type: "module", sideEffects: false } as const;

/** Creates a temporary folder in which modules can resolve the project's packages. */
export async function makeWorkFolder(): Promise<string> {
  await mkdir(join(root, "dist"), { recursive: true });
  return await mkdtemp(join(root, "dist/package-"));
}

/**
 * Compiles modules into a folder. Imports in the output refer to the compiled files. Throws if the compiler reports an
 * error.
 */
export async function compileModules(sources: string, folder: string, options: object): Promise<void> {
  const work = await makeWorkFolder();
  try {
    const compilerOptions = {
      noEmit: false,
      declaration: true,
      outDir: join(work, "built"),
      rootDir: sources,
      ...options,
    };
    const config = { extends: join(root, "tsconfig.json"), compilerOptions, include: [join(sources, "*.ts")] };
    await Bun.write(join(work, "tsconfig.json"), JSON.stringify(config));
    const compiler = join(root, "node_modules/typescript/bin/tsc");
    const { exitCode, stdout } = Bun.spawnSync([process.execPath, compiler, "-p", work]);
    if (exitCode !== 0) throw new Error(`${sources} could not be compiled.\n${stdout}`);
    for (const file of await readdir(join(work, "built"))) {
      const text = await Bun.file(join(work, "built", file)).text();
      await Bun.write(join(folder, file), text.replaceAll(/(from "\.\/[\w-]+)\.ts"/g, '$1.js"'));
    }
  } finally {
    await rm(work, { recursive: true });
  }
}

/** Writes the manifest, the README and the licence of a package. */
export async function writeManifest(folder: string, manifest: object, readme: string): Promise<void> {
  await Bun.write(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  await Bun.write(join(folder, "README.md"), Bun.file(readme));
  await Bun.write(join(folder, "LICENSE"), Bun.file(join(root, "LICENSE")));
}
