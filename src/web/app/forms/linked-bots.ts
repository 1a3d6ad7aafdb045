import { useEffect, useMemo, useState } from "preact/hooks";
import { entriesOf } from "../../../core/editing/changes/things.ts";
import { isJsonObject, textAt } from "../../../core/interpreter/flow.ts";
import { ApiFailure, call } from "../api/index.ts";

/**
 * Returns the distinct ids of the bots that a flow links, separated by spaces. The text is equal for equal sets of
 * bots.
 */
export function linkedIn(groups: unknown): string {
  const blocks = entriesOf(groups).flatMap((group) => entriesOf(isJsonObject(group) ? group["blocks"] : undefined));
  const ids = blocks.flatMap((block) => (textAt(block, "type") === "Typebot link" ? idOfLinked(block) : []));
  return [...new Set(ids)].sort().join(" ");
}

function idOfLinked(block: unknown): readonly string[] {
  const id = textAt(block, "options", "typebotId");
  return id ? [id] : [];
}

/** The maximum number of bots to load, because each bot requires its own request. */
const mostBots = 40;

/**
 * Returns the loaded names of the bots by id, and `current` as the name of the flow's own bot. `missing` replaces the
 * names of bots that this person cannot read.
 */
export function useLinkedBots(
  ids: readonly string[],
  { current, missing }: { readonly current: string; readonly missing: string },
): ReadonlyMap<string, string> {
  const [known, setKnown] = useState<ReadonlyMap<string, string>>(new Map());
  useEffect(() => {
    let isLeft = false;
    const asked = ids.filter((id) => id !== "current").slice(0, mostBots);
    void Promise.all(asked.map(async (id) => [id, await nameOf(id, missing)] as const)).then((names) => {
      if (!isLeft) setKnown(new Map(names.flatMap(([id, name]) => (name === undefined ? [] : [[id, name] as const]))));
    });
    return () => {
      isLeft = true;
    };
  }, [ids.join(" "), missing]);
  const isAny = ids.length > 0;
  return useMemo(() => (isAny ? new Map([...known, ["current", current]]) : nothing), [known, isAny, current]);
}

const nothing: ReadonlyMap<string, string> = new Map();

/**
 * Returns the name of a bot, or `missing` if the bot does not exist or this person may not read it. Undefined after any
 * other failure, such as a missing connection.
 */
async function nameOf(botId: string, missing: string): Promise<string | undefined> {
  try {
    return (await call("GET /api/v1/bots/:botId", { path: { botId } })).bot.name;
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    return error.status === 404 || error.status === 403 ? missing : undefined;
  }
}
