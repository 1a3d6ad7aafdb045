import { cp, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { commonFields, compileModules, makeWorkFolder, root, writeManifest } from "../package.ts";
import { ownDocument } from "./document.ts";
import { declareOperations } from "./operations.ts";
import { declareTypes } from "./types.ts";

const sources = join(root, "sdk");

/**
 * Builds the npm package `parley-client` into a folder. It consists of handwritten modules, and of types and methods
 * generated from the OpenAPI document.
 */
export async function buildSdk(folder: string): Promise<void> {
  const work = await makeWorkFolder();
  try {
    await cp(sources, work, { recursive: true });
    await cp(join(root, "src/web/conversation/choices/chosen-text.ts"), join(work, "chosen-text.ts"));
    await Bun.write(join(work, "generated.ts"), await generatedModule());
    await compileModules(work, folder, {
      rewriteRelativeImportExtensions: true,
      target: "ES2022",
      lib: ["ES2023", "DOM", "DOM.Iterable"],
      types: [],
    });
  } finally {
    await rm(work, { recursive: true });
  }
  await writeManifest(folder, manifest, join(sources, "README.md"));
}

const manifest = {
  name: "parley-client",
  ...commonFields,
  description: "A typed client of a Parley service: every operation, and chats. Needs nothing but fetch.",
  engines: { node: ">=20" },
  exports: { ".": { types: "./index.d.ts", default: "./index.js" } },
  files: ["*.js", "*.d.ts"],
};

async function generatedModule(): Promise<string> {
  // With two different addresses, the document distinguishes the operations of the chat listener.
  const addresses = { PUBLIC_URL: "https://bots.example.com", CHAT_URL: "https://chat.example.com" };
  const { operations, schemas } = await ownDocument(addresses);
  return [
    "// Written by the build, from the OpenAPI document of the service.",
    'import type { CallInput, CallOptions, Operation } from "./operation.ts";\n',
    declareTypes(schemas),
    declareOperations(operations),
  ].join("\n");
}

if (import.meta.main) {
  const folder = resolve(process.argv[2] ?? join(root, "dist/parley-client"));
  await buildSdk(folder);
  process.stdout.write(`Built ${folder}\n`);
}
