import { useMemo } from "preact/hooks";
import type { FromFrame, ToFrame } from "../../../conversation/preview-protocol.ts";
import { createRun } from "../../preview/run.ts";
import { previewServiceFor } from "../../preview/service.ts";
import { sampleAnswer, sampleChat } from "../../sample-page/samples.ts";
import samplePageWords from "../../words/en/sample-page.json";
import { useWords } from "../../words/index.ts";

/** The sources of the messages on a displayed page: a sample, or the draft itself, as in a preview. */
export const talks = ["sample", "own"] as const;
export type Talk = (typeof talks)[number];

/** The parts of a bot that determine its appearance. */
export type LookedAt = {
  readonly id: string;
  readonly name: string;
  readonly version: unknown;
  readonly theme: unknown;
  readonly settings: unknown;
};

/** Handles a request of a chat. */
export type Hear = (asked: FromFrame) => Promise<ToFrame | undefined>;

/** Returns a handler that responds with a sample chat, without requests to the service. */
export function useSample(bot: LookedAt): Hear {
  const { says } = useWords(samplePageWords);
  return useMemo(() => {
    const { chat } = sampleChat("typing", says, bot);
    return async (asked) => {
      switch (asked.kind) {
        case "say":
          return { kind: "answer", id: asked.id, value: sampleAnswer("choice", says) };
        case "start":
        case "goBack":
        case "read":
          return { kind: "answer", id: asked.id, value: chat };
        default:
          return undefined;
      }
    };
  }, [says, bot]);
}

/**
 * Returns a handler that responds with a chat of the bot. The run starts when the page starts its chat, with the
 * current values of the variables.
 */
export function useOwn(botId: string, variables: Readonly<Record<string, string>>): Hear {
  const run = useMemo(() => createRun(previewServiceFor(botId)), [botId]);
  return async (asked) => {
    if (asked.kind !== "start") return run.hear(run.shown.value?.number ?? 0, asked);
    await run.start({ startFrom: undefined, variables });
    const { id } = asked;
    const begun = run.state.value === "failed" ? undefined : run.shown.value;
    if (begun) return { kind: "answer", id, value: begun.chat };
    const { code = "", message = "" } = run.failures.value.at(-1) ?? {};
    return { kind: "refusal", id, code, message };
  };
}
