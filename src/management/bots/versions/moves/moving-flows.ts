import { blocks } from "../../../../core/blocks/index.ts";
import type { FlowDocument } from "../../../../core/interpreter/flow.ts";
import { type MovableFlow, movableFlow } from "../../../../core/interpreter/step/moving.ts";
import type { BotDependencies } from "../../drafts/dependencies.ts";
import { loadFlow } from "../flows.sql.ts";

/**
 * Returns the parts of a stored flow that determine whether its chats may move to another flow; undefined if the flow
 * is deleted.
 */
export async function readMovableFlow(
  deps: Pick<BotDependencies, "sql">,
  { botId, flowHash }: { botId: string; flowHash: string },
): Promise<MovableFlow | undefined> {
  const text = await loadFlow(deps.sql, botId, flowHash);
  return text === undefined ? undefined : asMovable(JSON.parse(text));
}

export function asMovable(flow: FlowDocument): MovableFlow {
  return movableFlow(flow, (type) => blocks.get(type)?.family === "input");
}
