import { type Answer, call, setKnown, useQuery } from "../api/index.ts";
import type { Version } from "./comparison.ts";

type Page = { readonly versions: readonly Version[]; readonly cursor: string | undefined };

/** The published versions of a bot, newest first. */
export type Versions = {
  /** Undefined until the versions are loaded. */
  readonly list: readonly Version[] | undefined;
  /** Loads older versions; undefined if there are none or the list is not loaded yet. */
  readonly older: (() => Promise<void>) | undefined;
};

/** Loads the newest versions in a single request, because few people look more than a hundred versions back. */
export function useVersions(botId: string): Versions {
  const key = `versions/${botId}/published`;
  const { value } = useQuery(key, () => readVersions(botId, undefined));
  const cursor = value?.cursor;
  return {
    list: value?.versions,
    older:
      value &&
      (cursor === undefined
        ? undefined
        : async () => {
            const next = await readVersions(botId, cursor);
            setKnown<Page>(key, { ...next, versions: [...value.versions, ...next.versions] });
          }),
  };
}

async function readVersions(botId: string, cursor: string | undefined): Promise<Page> {
  const query = { limit: pageSize, ...(cursor !== undefined && { cursor }) };
  const page = await call("GET /api/v1/bots/:botId/publications", { path: { botId }, query });
  return { versions: page.publications.filter(({ isDraft }) => !isDraft).map(versionOf), cursor: page.nextCursor };
}

const pageSize = 100;

type Publication = Answer<"GET /api/v1/bots/:botId/publications">["publications"][number];

function versionOf({ number, createdAt, isOnlyCanary, isCanary, figures }: Publication): Version {
  return { number, createdAt: String(createdAt), isOnlyCanary, isCanary, hasChats: figures.views > 0 };
}
