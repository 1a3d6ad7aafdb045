import { join } from "node:path";
import { blockDocs } from "./block-docs.ts";
import { referenceDocs } from "./reference-docs.ts";

/** Writes the generated pages of the documentation again. */
const root = join(import.meta.dir, "../..");
for (const [path, text] of Object.entries({ "src/core/blocks/README.md": blockDocs(), ...referenceDocs() })) {
  await Bun.write(join(root, path), text);
}
