import { useMemo } from "preact/hooks";
import { ApiFailure, call, useQuery } from "../api/index.ts";
import { outlineWords } from "../words/flow-outline.ts";
import { useWords } from "../words/index.ts";
import { type Around, namedAround, nothingAround, type OtherBot, titlesIn } from "./names.ts";
import type { ThingChange } from "./thing-change.ts";

/** The names of other bots and of credentials, where what differs speaks of some; nothing of them until they are known. */
export function useAround(changed: readonly ThingChange[], workspaceId: string | undefined): Around {
  const { outline } = useWords(outlineWords);
  const { botIds, hasCredentials } = useMemo(() => namedAround(changed), [changed]);
  const bots = useQuery(botIds.length === 0 ? undefined : `difference/bots/${botIds.join()}`, () =>
    readBots(botIds, outline.untitled),
  ).value;
  const isAsked = hasCredentials && workspaceId !== undefined;
  const credentials = useQuery(isAsked ? `difference/${workspaceId}/credentials` : undefined, () =>
    readCredentials(workspaceId ?? ""),
  ).value;
  return useMemo(
    () =>
      bots || credentials
        ? { ...nothingAround, ...(bots && { bots }), ...(credentials && { credentials }) }
        : nothingAround,
    [bots, credentials],
  );
}

async function readBots(ids: readonly string[], untitled: string): Promise<ReadonlyMap<string, OtherBot>> {
  const found = await Promise.all(ids.map((botId) => readBot(botId, untitled)));
  return new Map(found.flatMap((one) => (one ? [one] : [])));
}

/** Undefined for one that is gone, or that one may not read. */
async function readBot(botId: string, untitled: string): Promise<readonly [string, OtherBot] | undefined> {
  try {
    const { bot } = await call("GET /api/v1/bots/:botId", { path: { botId } });
    return [botId, { name: bot.name, groups: titlesIn(bot.groups, untitled) }];
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    return undefined;
  }
}

async function readCredentials(workspaceId: string): Promise<ReadonlyMap<string, string>> {
  const path = { workspaceId };
  const { credentials } = await call("GET /api/v1/workspaces/:workspaceId/credentials", { path });
  return new Map(credentials.map(({ id, name }) => [id, name]));
}
