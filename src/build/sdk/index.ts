import { cp, mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import own from "../../../package.json";
import { compatibleTag } from "../../management/operations/tags.ts";
import { makeDocument } from "../../service/openapi-document.ts";
import { operations } from "../../service/operations.ts";
import { declareOperations } from "./operations.ts";
import { declareTypes, isSchema } from "./types.ts";

const root = join(import.meta.dir, "../../..");
const sources = join(root, "sdk");

/** Makes the npm package `parley-client` in a folder: its own few modules, and types and methods as the OpenAPI document tells of them. */
export async function buildSdk(folder: string): Promise<void> {
  await mkdir(join(root, "dist"), { recursive: true });
  const work = await mkdtemp(join(root, "dist/sdk-"));
  try {
    await cp(sources, join(work, "source"), { recursive: true });
    await Bun.write(join(work, "source/generated.ts"), await generatedModule());
    await compile(work);
    await mkdir(folder, { recursive: true });
    for (const file of await readdir(join(work, "built"))) {
      const text = await Bun.file(join(work, "built", file)).text();
      await Bun.write(join(folder, file), text.replaceAll(/(from "\.\/[\w-]+)\.ts"/g, '$1.js"'));
    }
  } finally {
    await rm(work, { recursive: true });
  }
  await Bun.write(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  await Bun.write(join(folder, "README.md"), Bun.file(join(sources, "README.md")));
  await Bun.write(join(folder, "LICENSE"), Bun.file(join(root, "LICENSE")));
}

const manifest = {
  name: "parley-client",
  version: own.version,
  license: own.license,
  description: "A typed client of a Parley service: every operation, and chats. Needs nothing but fetch.",
  type: "module",
  sideEffects: false,
  engines: { node: ">=20" },
  exports: { ".": { types: "./index.d.ts", default: "./index.js" } },
  files: ["*.js", "*.d.ts"],
};

/** Types and methods of all operations but those that exist for other clients. */
async function generatedModule(): Promise<string> {
  const own = operations.filter(({ tag }) => tag !== compatibleTag);
  // Two addresses, so that the document tells which operations are where chats are.
  const addresses = { PUBLIC_URL: "https://bots.example.com", CHAT_URL: "https://chat.example.com" };
  const document: { paths?: unknown; components?: { schemas?: unknown } } = await makeDocument(own, addresses);
  const { paths, components } = document;
  const schemas = components?.schemas;
  if (!isSchema(paths) || !isSchema(schemas)) throw new Error("The OpenAPI document has no paths or schemas");
  return [
    "// Written by the build, from the OpenAPI document of the service.",
    'import type { CallInput, CallOptions, Operation } from "./operation.ts";\n',
    declareTypes(schemas),
    declareOperations(paths),
  ].join("\n");
}

async function compile(work: string): Promise<void> {
  const compilerOptions = {
    noEmit: false,
    declaration: true,
    outDir: join(work, "built"),
    rootDir: join(work, "source"),
    rewriteRelativeImportExtensions: true,
    target: "ES2022",
    lib: ["ES2023", "DOM", "DOM.Iterable"],
    types: [],
  };
  const config = { extends: join(root, "tsconfig.json"), compilerOptions, include: [join(work, "source/*.ts")] };
  await Bun.write(join(work, "tsconfig.json"), JSON.stringify(config));
  const compiler = join(root, "node_modules/typescript/bin/tsc");
  const { exitCode, stdout } = Bun.spawnSync([process.execPath, compiler, "-p", join(work, "tsconfig.json")]);
  if (exitCode !== 0) throw new Error(`parley-client could not be compiled.\n${stdout}`);
}

if (import.meta.main) {
  const folder = resolve(process.argv[2] ?? join(root, "dist/parley-client"));
  await buildSdk(folder);
  process.stdout.write(`Built ${folder}\n`);
}
