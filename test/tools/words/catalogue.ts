import { channels } from "../../../src/core/channels/index.ts";
import { getFlowSchemas, listBlockTypes } from "../../../src/management/block-types/block-types.ts";
import { listCredentialTypes } from "../../../src/management/credentials/credential-types.routes.ts";
import {
  blockTypeSpoken,
  credentialTypeSpoken,
  type Speaker,
  schemaSpoken,
  speakerOf,
} from "../../../src/web/app/forms/catalogue/spoken-catalogue.ts";
import type { BlockType, CredentialType, FieldSchema } from "../../../src/web/app/forms/index.ts";
import type { Catalogue } from "../../../src/web/app/words/catalogue/catalogue.ts";

export const blockTypes: readonly BlockType[] = JSON.parse(JSON.stringify(listBlockTypes()));
const credentialTypes: readonly CredentialType[] = JSON.parse(JSON.stringify(listCredentialTypes()));
const channelSchemas: readonly FieldSchema[] = JSON.parse(
  JSON.stringify([...channels.values()].flatMap(({ settings, secrets }) => [settings, secrets])),
);
const flowSchemas: Readonly<Record<string, FieldSchema>> = JSON.parse(JSON.stringify(getFlowSchemas()));

export type CatalogueUse = {
  /** The entries of the service's catalogue that are required, such as `texts: Plays a sound.` */
  readonly used: ReadonlySet<string>;
  /** The missing texts and words of the catalogue. */
  readonly missing: ReadonlySet<string>;
};

/**
 * Returns the entries of a catalogue that the builder requires for all blocks, credentials, messengers, the theme and
 * the settings.
 */
export function useOf(catalogue: Catalogue): CatalogueUse {
  const { noted, used, missing } = noting(catalogue);
  for (const type of blockTypes) blockTypeSpoken(type, noted);
  for (const type of credentialTypes) credentialTypeSpoken(type, noted);
  for (const schema of channelSchemas) schemaSpoken(schema, noted);
  for (const schema of Object.values(flowSchemas)) schemaSpoken(schema, noted);
  return { used, missing };
}

/** Returns a speaker that records the requested entries. */
export function noting(catalogue: Catalogue): { readonly noted: Speaker } & CatalogueUse {
  const speaker = speakerOf(catalogue);
  const [used, missing] = [new Set<string>(), new Set<string>()];
  const note = (kind: string, key: string, said: string | undefined) => {
    if (said === undefined) missing.add(`${kind}: ${key}`);
    else used.add(`${kind}: ${key}`);
    return said;
  };
  const noted: Speaker = {
    text: (english) => note("texts", english, speaker.text(english)),
    choice(key, word) {
      const own = `${key}: ${word}`;
      return note("choices", Object.hasOwn(catalogue.choices, own) ? own : word, speaker.choice(key, word));
    },
    search: (word) => note("search", word, speaker.search(word)),
  };
  return { noted, used, missing };
}
