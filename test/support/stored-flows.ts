import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isJsonObject, type JsonObject } from "../../src/core/interpreter/flow.ts";

/** Returns the flows of the repository and of the folder in `PARLEY_FLOWS`, with their file names. */
export function storedFlowFiles(): readonly { readonly name: string; readonly flow: JsonObject }[] {
  const folders = [join(import.meta.dir, "../flows"), ...[process.env["PARLEY_FLOWS"] ?? []].flat()];
  return folders.flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith(".json"))
      .map((name) => {
        const file: unknown = JSON.parse(readFileSync(join(folder, name), "utf8"));
        const inner = isJsonObject(file) ? (file["bot"] ?? file["typebot"] ?? file) : {};
        return { name, flow: isJsonObject(inner) ? inner : {} };
      }),
  );
}

export function blocksOfFlow({ groups }: JsonObject): readonly JsonObject[] {
  const all: readonly unknown[] = Array.isArray(groups) ? groups : [];
  return all.flatMap((group) => {
    const blocks: unknown = isJsonObject(group) ? group["blocks"] : undefined;
    return Array.isArray(blocks) ? blocks.filter(isJsonObject) : [];
  });
}
