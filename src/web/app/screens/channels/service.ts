import { type Answer, call, request, useQuery } from "../../api/index.ts";
import type { FieldSchema } from "../../forms/index.ts";
import { language } from "../../words/index.ts";

const list = "/api/v1/workspaces/:workspaceId/channel-connections";
export const one = `${list}/:connectionId` as const;

export type Connection =
  Answer<"GET /api/v1/workspaces/:workspaceId/channel-connections">["channelConnections"][number];
export type Check = Answer<`POST ${typeof one}/check`>["check"];
export type ConnectionBot = Connection["bots"][number];

/** A messenger type, as the service describes it. */
export type ChannelType = {
  readonly type: string;
  readonly name: string;
  readonly page: string;
  readonly settings: FieldSchema & { readonly required?: readonly string[] };
  readonly secrets: FieldSchema & { readonly required?: readonly string[] };
  readonly madeSecrets: readonly string[];
};

/**
 * Returns all messenger types by name, in the current language. Undefined until the types are loaded, which happens
 * once per language.
 */
export function useChannelTypes(): ReadonlyMap<string, ChannelType> | undefined {
  const now = language.value;
  return useQuery(`channel-types/${now}`, () => loadChannelTypes(now), { isLasting: true }).value;
}

async function loadChannelTypes(now: typeof language.value): Promise<ReadonlyMap<string, ChannelType>> {
  const [response, { schemaSpoken, speakerOf, loadCatalogue }] = await Promise.all([
    request("GET /api/v1/channel-types", {}),
    import("../../forms/catalogue/spoken-catalogue.ts"),
  ]);
  const speaker = speakerOf(await loadCatalogue(now));
  const answer: { readonly channelTypes: readonly ChannelType[] } = await response.json();
  return new Map(
    answer.channelTypes.map((type) => [
      type.type,
      {
        ...type,
        settings: { ...type.settings, ...schemaSpoken(type.settings, speaker) },
        secrets: { ...type.secrets, ...schemaSpoken(type.secrets, speaker) },
      },
    ]),
  );
}

export function connectionKey(connectionId: string): string {
  return `channel-connection/${connectionId}`;
}

export function readConnection(workspaceId: string, connectionId: string) {
  return call(`GET ${one}`, { path: { workspaceId, connectionId } });
}

/** Returns the schema of the secrets that people enter. The fields never show stored values. */
export function writtenSecrets({ secrets, madeSecrets }: ChannelType): FieldSchema {
  const fields = Object.entries(secrets.properties ?? {}).filter(([name]) => !madeSecrets.includes(name));
  return {
    ...secrets,
    properties: Object.fromEntries(fields.map(([name, field]) => [name, { ...field, widget: "secret" as const }])),
  };
}

/** Returns the required texts of a new connection, by name. */
export function requiredTexts(
  schema: FieldSchema & { readonly required?: readonly string[] },
  without: readonly string[],
  typed: Readonly<Record<string, unknown>>,
): Readonly<Record<string, string>> {
  const names = (schema.required ?? []).filter((name) => !without.includes(name));
  return Object.fromEntries(names.map((name) => [name, String(typed[name] ?? "")]));
}
