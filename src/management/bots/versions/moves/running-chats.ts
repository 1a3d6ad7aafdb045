import { flowOf } from "../../../../core/flow/complete.ts";
import type { StoredFlow } from "../../../../core/flow/document.ts";
import { type SessionState, stateFormat } from "../../../../core/interpreter/program/state.ts";
import { type MovableFlow, type Obstacle, obstacles, obstacleTo } from "../../../../core/interpreter/step/moving.ts";
import { AppError } from "../../../../errors.ts";
import { limits } from "../../../../limits/index.ts";
import { type Caller, requireBot } from "../../../access/access.ts";
import { findBot } from "../../bots.sql.ts";
import type { BotDependencies } from "../../drafts/dependencies.ts";
import { findPublication } from "../publications.sql.ts";
import {
  listRunningChats,
  markMovingChats,
  type RunningChat,
  type RunningState,
  readRunningChats,
} from "./moving-chats.sql.ts";
import { asMovable, readMovableFlow } from "./moving-flows.ts";

/**
 * The effect of a publication on running chats: `finish` lets them finish on their version, and `move` moves them at
 * the next possible input.
 */
export const runningChatsPolicies = ["finish", "move"] as const;
export type RunningChatsPolicy = (typeof runningChatsPolicies)[number];

/** Chats that wait at the same block of the same version, with a forecast of their move. */
export type RunningPlace = {
  readonly publicationNumber: number;
  /** Null before the first input. */
  readonly blockId: string | null;
  readonly chats: number;
  readonly obstacle: Obstacle | null;
  /** A sentence that describes the obstacle to moving. */
  readonly message: string | null;
};

export type MoveForecast = {
  readonly chats: number;
  readonly moving: number;
  readonly staying: number;
  /** False if there are more running chats than were examined. */
  readonly isComplete: boolean;
  readonly places: readonly RunningPlace[];
};

/**
 * Forecasts which running chats would move from their open inputs if `to` were published now. `to` is `draft` or the
 * number of a version. Changes nothing.
 */
export async function forecastMove(
  deps: BotDependencies,
  caller: Caller,
  botId: string,
  { to }: { to: string },
): Promise<MoveForecast> {
  await requireBot(deps, caller, botId, "read");
  const target = asMovable(await flowNamed(deps, botId, to));
  const { sql } = deps;
  const most = limits.moves.chatsAtOnce;
  const chats = await listRunningChats(sql, { botId, limit: most + 1 });
  const flows = new Map<string, Promise<MovableFlow | undefined>>();
  const places = new Map<string, RunningPlace>();
  for (const batch of batchesOf(chats.slice(0, most), limits.moves.bytesAtOnce)) {
    for (const chat of await readRunningChats(sql, batch)) {
      const { flowHash } = chat;
      const flow = flows.get(flowHash) ?? readMovableFlow(deps, { botId, flowHash });
      flows.set(flowHash, flow);
      addTo(places, placeOf(chat, await flow, target));
    }
  }
  const sorted = [...places.values()].sort((a, b) => b.chats - a.chats);
  const count = (some: readonly RunningPlace[]) => some.reduce((sum, place) => sum + place.chats, 0);
  return {
    chats: count(sorted),
    moving: count(sorted.filter(({ obstacle }) => obstacle === null)),
    staying: count(sorted.filter(({ obstacle }) => obstacle !== null)),
    isComplete: chats.length <= most,
    places: sorted.slice(0, limits.moves.places),
  };
}

/**
 * Marks the running chats that a publication moves, up to the limit of one request. A clean-up marks the others within
 * minutes.
 */
export async function startMoving(deps: Pick<BotDependencies, "sql">, botId: string): Promise<void> {
  for (let done = 0; done < limits.moves.chatsAtOnce; ) {
    const marked = await markMovingChats(deps.sql, { botId, limit: limits.moves.batch });
    if (marked === 0) return;
    done += marked;
  }
}

async function flowNamed(deps: BotDependencies, botId: string, name: string): Promise<StoredFlow> {
  if (name === "draft") {
    const bot = await findBot(deps.sql, botId);
    if (!bot) throw new AppError("bot.not_found");
    return flowOf(bot);
  }
  const publication = await findPublication(deps.sql, { botId, number: Number(name) });
  if (!publication) throw new AppError("publication.not_found");
  return publication.flow;
}

/** Splits chats into batches whose states have at most `maxBytes` in total. A larger state gets its own batch. */
function batchesOf(chats: readonly RunningChat[], maxBytes: number): RunningChat[][] {
  const batches: RunningChat[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const chat of chats) {
    if (bytes + chat.stateBytes > maxBytes) {
      batches.push([]);
      bytes = 0;
    }
    batches.at(-1)?.push(chat);
    bytes += chat.stateBytes;
  }
  return batches;
}

function placeOf(chat: RunningState, flow: MovableFlow | undefined, target: MovableFlow): RunningPlace {
  const state: SessionState = JSON.parse(chat.state);
  const isReadable = flow !== undefined && state.format <= stateFormat;
  const obstacle = (isReadable ? obstacleTo(state, flow, target) : "not_asking") ?? null;
  return {
    publicationNumber: chat.publicationNumber,
    blockId: state.blockId ?? null,
    chats: 1,
    obstacle,
    message: obstacle === null ? null : obstacles[obstacle],
  };
}

function addTo(places: Map<string, RunningPlace>, place: RunningPlace): void {
  const key = JSON.stringify([place.publicationNumber, place.blockId, place.obstacle]);
  places.set(key, { ...place, chats: (places.get(key)?.chats ?? 0) + 1 });
}
