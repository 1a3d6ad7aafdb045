import type { DraftDocument } from "../../../../core/editing/changes/change.ts";
import { type Answer, call, refresh } from "../../api/index.ts";
import { draftOf } from "../../editor/service.ts";
import type { SuppliedFlow } from "../../preview/index.tsx";
import { read } from "./names.ts";

export type Publication = Answer<"GET /api/v1/bots/:botId/publications">["publications"][number];
export type ReadBot = Answer<"GET /api/v1/bots/:botId">["bot"];
export type Canary = NonNullable<Answer<"GET /api/v1/bots/:botId/canary">["canary"]>;

/**
 * A version, the draft or an earlier draft, with its flow in the current format, so that two compared flows differ only
 * by their authors' changes.
 */
export type Version = {
  /** The version's number, `draft`, or `r` followed by the revision of an earlier draft. */
  readonly name: string;
  readonly draft: DraftDocument;
  readonly publication?: Publication;
  /** The flow in the form that a preview accepts. */
  readonly flow?: SuppliedFlow;
  readonly bot?: ReadBot;
};

/** Returns the cache key for all data about a bot's versions. */
export const keyOf = (botId: string): string => `versions/${botId}`;

export async function readVersion(botId: string, name: string): Promise<Version> {
  const query = { migrateToLatestVersion: true };
  if (name === "draft") {
    const { bot } = await call("GET /api/v1/bots/:botId", { path: { botId }, query });
    // The editor's data, such as notes, is not part of a version.
    return { name, bot, draft: draftOf({ ...bot, editor: null }) };
  }
  const named = read(name);
  if (named?.kind === "moment") {
    const path = { botId, revision: String(named.revision) };
    const { draft } = await call("GET /api/v1/bots/:botId/history/:revision", { path });
    return { name, draft: draftOf({ ...draft, editor: null }) };
  }
  const path = { botId, number: name };
  const { publication } = await call("GET /api/v1/bots/:botId/publications/:number", { path, query });
  const { version, events, groups, edges, variables, theme, settings } = publication;
  const flow = { version, events, groups, edges, variables, theme, settings };
  return { name, publication, flow, draft: draftOf({ ...flow, editor: null }) };
}

export type VersionList = {
  readonly publications: readonly Publication[];
  readonly canary: Canary | null;
  /** The number of the live version, which may be older than the listed versions. */
  readonly live: number | undefined;
  readonly mayWrite: boolean;
  readonly nextCursor: string | undefined;
};

export async function readVersions(botId: string): Promise<VersionList> {
  const path = { botId };
  const [{ publications, nextCursor }, { canary }, { bot, currentUserMode }] = await Promise.all([
    call("GET /api/v1/bots/:botId/publications", { path, query: { limit: pageSize } }),
    call("GET /api/v1/bots/:botId/canary", { path }),
    call("GET /api/v1/bots/:botId", { path }),
  ]);
  const mayWrite = currentUserMode === "write" && !bot.isArchived;
  return { publications, canary, live: bot.publicationNumber ?? undefined, mayWrite, nextCursor };
}

export async function readOlder(botId: string, cursor: string) {
  return call("GET /api/v1/bots/:botId/publications", { path: { botId }, query: { limit: pageSize, cursor } });
}

const pageSize = 50;

/**
 * Requests the cached data about the versions and the draft again, after another version went live or the draft
 * changed.
 */
export async function refreshVersions(botId: string): Promise<void> {
  await Promise.all([refresh(keyOf(botId)), refresh(`bots/${botId}`), refresh("bots")]);
}
