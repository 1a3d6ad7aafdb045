import { join } from "node:path";
import { blockDocs } from "./block-docs.ts";

/** Writes src/blocks/README.md anew, from the block files. */
await Bun.write(join(import.meta.dir, "../../src/blocks/README.md"), blockDocs());
