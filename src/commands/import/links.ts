import { readEnvelopes } from "../../core/flow/check.ts";
import { readRepairedParts } from "../../core/flow/repair/read-repaired.ts";
import { AppError } from "../../errors.ts";
import { at, isObject, type Json, listAt, textAt } from "../../web/conversation/read.ts";

/** Maps ids of the source to the ids of their copies. */
export type Ids = Readonly<Record<string, string>>;

/** Returns groups in which links refer to the copies of the linked bots; undefined if no link changes. */
export function relinked(groups: unknown, bots: Ids): unknown[] | undefined {
  let isChanged = false;
  const linked = (block: unknown): unknown => {
    const [options, id] = [at(block, "options"), textAt(block, "options", "typebotId")];
    const own = id !== undefined && Object.hasOwn(bots, id) ? bots[id] : undefined;
    if (!isObject(block) || !isObject(options) || textAt(block, "type") !== "Typebot link" || own === undefined)
      return block;
    isChanged = true;
    return { ...block, options: { ...options, typebotId: own } };
  };
  const changed = (Array.isArray(groups) ? groups : []).map((group: unknown) =>
    isObject(group) && Array.isArray(group["blocks"])
      ? { ...group, blocks: listAt(group, "blocks").map(linked) }
      : group,
  );
  return isChanged ? changed : undefined;
}

const flowParts = ["version", "events", "groups", "edges", "variables", "theme", "settings"] as const;

/** Returns the flow of a bot or of a publication, with links to the copies. */
export function flowOf(bot: Json, bots: Ids): Json {
  const parts = Object.fromEntries(flowParts.flatMap((part) => (bot[part] === undefined ? [] : [[part, bot[part]]])));
  const groups = relinked(parts["groups"], bots);
  return groups ? { ...parts, groups } : parts;
}

/**
 * Returns a published flow in which repeated ids are repaired in the same manner as in the copy's draft. A flow with
 * other faults is returned unchanged, and the target reports these faults.
 */
export function repaired(flow: Json, copy: Json | undefined): Json {
  try {
    const { groups = [], edges = [] } = readEnvelopes(copy ?? {}, "typebot");
    return { ...flow, ...readRepairedParts(flow, "typebot", { former: { groups, edges } }).parts };
  } catch (error) {
    if (error instanceof AppError) return flow;
    throw error;
  }
}
