import { request, useQuery } from "../../api/index.ts";
import { type Language, language } from "../../words/index.ts";
import { isObject } from "../values.ts";
import type { BlockType, CredentialType, FlowSchemas } from "./block-type.ts";
import type { Speaker } from "./spoken-catalogue.ts";

export type { BlockType, CredentialType, FlowSchemas } from "./block-type.ts";

/**
 * Returns all types of blocks and events by name, in the order of the palette and in the current language. Undefined
 * until the types are loaded, which happens once per language.
 */
export function useBlockTypes(): ReadonlyMap<string, BlockType> | undefined {
  const now = language.value;
  return useQuery(`block-types/${now}`, () => loadBlockTypes(now), { isLasting: true }).value;
}

export function useFlowSchemas(): FlowSchemas | undefined {
  const now = language.value;
  return useQuery(`flow-schemas/${now}`, () => loadFlowSchemas(now), { isLasting: true }).value;
}

export const loadBlockTypes = onceALanguage(async (spoken): Promise<ReadonlyMap<string, BlockType>> => {
  const [response, { blockTypeSpoken, speaker }] = await Promise.all([request("GET /api/v1/block-types", {}), spoken]);
  const answer: { readonly blockTypes: readonly BlockType[] } = await response.json();
  return new Map(answer.blockTypes.filter(isObject).map((one) => [one.type, blockTypeSpoken(one, speaker)]));
});

/**
 * Returns all types of credentials by name, in display order and in the current language. Undefined until the types are
 * loaded, which happens once per language.
 */
export function useCredentialTypes(): ReadonlyMap<string, CredentialType> | undefined {
  const now = language.value;
  return useQuery(`credential-types/${now}`, () => loadCredentialTypes(now), { isLasting: true }).value;
}

const loadCredentialTypes = onceALanguage(async (spoken): Promise<ReadonlyMap<string, CredentialType>> => {
  const [response, { credentialTypeSpoken, speaker }] = await Promise.all([
    request("GET /api/v1/credential-types", {}),
    spoken,
  ]);
  const answer: { readonly credentialTypes: readonly CredentialType[] } = await response.json();
  return new Map(answer.credentialTypes.map((one) => [one.type, credentialTypeSpoken(one, speaker)]));
});

const loadFlowSchemas = onceALanguage(async (spoken): Promise<FlowSchemas> => {
  const [response, { schemasSpoken, speaker }] = await Promise.all([request("GET /api/v1/flow-schemas", {}), spoken]);
  return schemasSpoken(await response.json(), speaker);
});

type Spoken = Promise<typeof import("./spoken-catalogue.ts") & { readonly speaker: Speaker }>;

/** Caches the result for each language, because it changes only with a release. A failed request is not cached. */
function onceALanguage<Value>(load: (spoken: Spoken) => Promise<Value>) {
  const known = new Map<Language, Promise<Value>>();
  return (now: Language = language.value): Promise<Value> => {
    const found = known.get(now) ?? load(spokenIn(now));
    if (known.get(now) !== found) {
      known.set(now, found);
      found.catch(() => known.delete(now));
    }
    return found;
  };
}

async function spokenIn(now: Language): Spoken {
  const part = await import("./spoken-catalogue.ts");
  return { ...part, speaker: part.speakerOf(await part.loadCatalogue(now)) };
}
