import { join } from "node:path";
import { blockDocs } from "./block-docs.ts";
import { referenceDocs } from "./reference-docs.ts";

/** Regenerates the generated pages of the documentation. */
const root = join(import.meta.dir, "../..");
for (const [path, text] of Object.entries({ "src/core/blocks/README.md": blockDocs(), ...referenceDocs() })) {
  await Bun.write(join(root, path), text);
}
