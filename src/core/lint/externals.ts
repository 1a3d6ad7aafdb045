import { blocks as servedBlocks } from "../blocks/index.ts";
import type { StoredFlow } from "../flow/document.ts";
import { textAt } from "../interpreter/flow.ts";
import { referencesOf } from "./references.ts";

/** A reference to something outside of the flow, and the block that names it. */
export type External = { readonly groupId: string; readonly blockId: string; readonly id: string };

/** The credentials and the other bots that a flow names. */
export type Externals = { readonly credentials: readonly External[]; readonly bots: readonly External[] };

/** Words in the place of an id that name nothing outside: the bot itself, and the operator's own mail server. */
const ownWords = new Set(["", "current", "default"]);

export function externalsOf(flow: Pick<StoredFlow, "groups">): Externals {
  const credentials: External[] = [];
  const bots: External[] = [];
  for (const group of flow.groups) {
    for (const block of group.blocks ?? []) {
      const place = { groupId: group.id, blockId: block.id };
      for (const { id } of referencesOf(block, "", servedBlocks).credentials) {
        if (!ownWords.has(id)) credentials.push({ ...place, id });
      }
      const linked = block.type === "Typebot link" ? textAt(block, "options", "typebotId") : undefined;
      if (linked !== undefined && !ownWords.has(linked)) bots.push({ ...place, id: linked });
    }
  }
  return { credentials, bots };
}
