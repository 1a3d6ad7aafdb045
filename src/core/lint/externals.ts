import { blocks as servedBlocks } from "../blocks/index.ts";
import type { StoredFlow } from "../flow/document.ts";
import { textAt } from "../interpreter/flow.ts";
import { secretIn } from "../interpreter/language/secret-tokens.ts";
import { referencesOf } from "./references.ts";

/** A reference to a resource outside of the flow, and the block that contains it. */
export type External = { readonly groupId: string; readonly blockId: string; readonly id: string };

/** The credentials and the other bots that a flow names. */
export type Externals = { readonly credentials: readonly External[]; readonly bots: readonly External[] };

/** Words that replace an id and refer to no outside resource: the bot itself, and the operator's own mail server. */
const ownWords = new Set(["", "current", "default"]);

/**
 * The secrets that texts and code of a flow name, each once. A name that is also a variable's is left out, since the
 * variable takes precedence.
 */
export function secretsOf({ groups, variables }: Pick<StoredFlow, "groups" | "variables">): string[] {
  const own = new Set(variables.map(({ name }) => name));
  const names = groups.flatMap((group) =>
    (group.blocks ?? []).flatMap((block) =>
      referencesOf(block, "", servedBlocks).mentions.flatMap(({ name }) =>
        own.has(name) ? [] : (secretIn(name) ?? []),
      ),
    ),
  );
  return [...new Set(names)];
}

/** An address of an author's file, such as `https://chat.example.com/api/workspace-files/01h….png`. */
export type FileAddress = { readonly address: string; readonly origin: string; readonly id: string };

/** Each part is bounded, so that a text with many possible beginnings is read only once. */
const fileAddress =
  /(https?:\/\/[^\s"'()<>\\/]{1,255})(?:\/[^\s"'()<>\\/]{1,100}){0,5}?\/api\/workspace-files\/([0-7][0-9a-hjkmnp-tv-z]{25})\.[a-z0-9]{1,10}/g;

/** The addresses of authors' files in a flow or a part of it, each once. */
export function fileAddressesIn(part: unknown): FileAddress[] {
  const text = JSON.stringify(part) ?? "";
  const found = text.includes("/workspace-files/") ? text.matchAll(fileAddress) : [];
  const addresses = [...found].map(([address, origin = "", id = ""]) => ({ address, origin, id }));
  return [...new Map(addresses.map((one) => [one.address, one])).values()];
}

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
