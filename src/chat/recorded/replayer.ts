import type { HeldChat } from "../../core/replay/chat.ts";
import { type Impact, noImpact } from "../../core/replay/impact.ts";
import type { ReplayedPage, ReplayPage } from "../../core/replay/replay-page.ts";
import type { ProgramName, ProgramText } from "../../core/tasks/messages.ts";
import { limits } from "../../limits/index.ts";
import { loadFlow } from "../../management/bots/versions/flows.sql.ts";
import { pause } from "../../platform/concurrency/clock.ts";
import type { ChatDependencies } from "../steps/dependencies.ts";
import { isKill } from "../threads/pool.ts";
import { readHeldSteps } from "./held-chats.sql.ts";

export type CountedChat = { readonly chat: HeldChat; readonly steps: number };

export type Replayed = {
  readonly impacts: readonly Impact[];
  /**
   * The number of handled chats, including chats that could not be replayed. Smaller than the number of given chats if
   * the time limit was reached.
   */
  readonly done: number;
};

export type Replayer = {
  /** Runs a read when it is the workspace's turn at the database. */
  read<Rows>(rows: () => Promise<Rows>): Promise<Rows>;
  replay(chats: readonly CountedChat[]): Promise<Replayed>;
};

/**
 * Replays chats with a flow in small pages, on the thread that also runs test conversations. The states of a page:
 *
 *     read ─ its steps are loaded as one text ─────────→ sent
 *     sent ─ the thread lacks flows ───────────────────→ sent again, with the flows and the names of deleted flows
 *     sent ─ the thread yields before the end ─────────→ sent again, starting at the next chat
 *     sent ─ the thread was killed ────────────────────→ over: the rest of the page cannot be replayed
 *     sent ─ all chats are replayed, or time is up ────→ over
 */
export function createReplayer(
  { sql, threads, databasePlaces, clock }: ChatDependencies,
  { workspaceId, target, deadline }: { workspaceId: string; target: ProgramText; deadline: number },
): Replayer {
  const read = <Rows>(rows: () => Promise<Rows>): Promise<Rows> => databasePlaces.run({ sharer: workspaceId }, rows);
  const { key, botId } = target;

  const send = async (page: Page, steps: string): Promise<ReplayedPage> => {
    try {
      return JSON.parse(await threads.replay({ page: JSON.stringify(page), steps }, workspaceId));
    } catch (error) {
      if (!isKill(error)) throw error;
      const until = page.chats.length;
      return { kind: "replayed", until, impact: { ...noImpact, unknown: { too_large: until - page.from } } };
    }
  };
  const withFlows = async (page: Page, names: readonly ProgramName[]): Promise<Page> => {
    const found = await Promise.all(
      names.map(async (name) => ({ name, flow: name.key === key ? target.flow : await readFlow(name) })),
    );
    const programs = found.flatMap(({ name, flow }) => (flow === undefined ? [] : [{ ...name, flow }]));
    const gone = found.flatMap(({ name, flow }) => (flow === undefined ? [name.key] : []));
    return { ...page, programs: [...page.programs, ...programs], gone: [...page.gone, ...gone] };
  };
  const readFlow = (name: ProgramName) => read(() => loadFlow(sql, name.botId, name.key.slice(name.botId.length + 1)));

  const replayPage = async (chats: readonly HeldChat[]): Promise<Replayed> => {
    const ids = chats.map(({ sessionId }) => sessionId);
    const steps = await read(() => readHeldSteps(sql, ids));
    const impacts: Impact[] = [];
    let page: Page = { target: { key, botId }, programs: [], gone: [], chats, from: 0 };
    while (page.from < chats.length && clock.now() <= deadline) {
      const answer = await send(page, steps);
      if (answer.kind === "unknown_programs") {
        page = await withFlows(page, answer.names);
        continue;
      }
      impacts.push(answer.impact);
      page = { ...page, from: answer.until };
    }
    return { impacts, done: page.from };
  };
  return {
    read,
    async replay(chats) {
      const impacts: Impact[] = [];
      let done = 0;
      for (const page of pagesOf(chats)) {
        const startedAt = clock.now();
        const replayed = await replayPage(page);
        impacts.push(...replayed.impacts);
        done += replayed.done;
        if (replayed.done < page.length) break;
        // The pause leaves half of the time for visitors if no core is free.
        await pause(clock, clock.now() - startedAt);
      }
      return { impacts, done };
    },
  };
}

type Page = Omit<ReplayPage, "steps">;

/** Splits chats into pages with few steps in total. */
function pagesOf(chats: readonly CountedChat[]): HeldChat[][] {
  const pages: HeldChat[][] = [];
  let left = 0;
  for (const { chat, steps } of chats) {
    const few = Math.min(steps, limits.replay.stepsOfChat);
    if (pages.length === 0 || few > left) {
      pages.push([]);
      left = limits.replay.stepsAtOnce;
    }
    pages.at(-1)?.push(chat);
    left -= few;
  }
  return pages;
}
