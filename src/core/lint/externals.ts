import { blocks as servedBlocks } from "../blocks/index.ts";
import type { StoredFlow } from "../flow/document.ts";
import { textAt } from "../interpreter/flow.ts";
import { secretIn } from "../interpreter/language/secret-tokens.ts";
import { referencesOf } from "./references.ts";

/** A reference to a resource outside of the flow, and the block that contains the reference. */
export type External = { readonly groupId: string; readonly blockId: string; readonly id: string };

/** The credentials and other bots that a flow refers to. */
export type Externals = { readonly credentials: readonly External[]; readonly bots: readonly External[] };

/**
 * Values that occur in place of an id but refer to no external resource: an empty value, the bot itself, and the
 * operator's own mail server.
 */
const ownWords = new Set(["", "current", "default"]);

/**
 * Returns the distinct secrets that texts and code of a flow's blocks refer to. A name that is also the name of a
 * variable is excluded because the variable takes precedence.
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

/** The URL of an author's file, such as `https://chat.example.com/api/workspace-files/01h….png`. */
export type FileAddress = { readonly address: string; readonly origin: string; readonly id: string };

/**
 * Matches the URL of an author's file. Each part has a maximum length, so that a text with many possible matches is
 * scanned only once.
 */
const fileAddress =
  /(https?:\/\/[^\s"'()<>\\/]{1,255})(?:\/[^\s"'()<>\\/]{1,100}){0,5}?\/api\/workspace-files\/([0-7][0-9a-hjkmnp-tv-z]{25})\.[a-z0-9]{1,10}/g;

/** Returns the distinct URLs of authors' files in a flow or in a part of a flow. */
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
