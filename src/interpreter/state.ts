import type { Value } from "./values.ts";

/** The format that this release writes. A release reads every earlier one. */
export const stateFormat = 1;

/** What a session needs to go on, beside its flow: small, and plain JSON. */
export type SessionState = {
  readonly format: typeof stateFormat;
  /** The running flow first, then the flows that linked to it. Never empty. */
  readonly queue: readonly FrameState[];
  /** The block that waits: an input, or a block that was paused. Absent until the first stop. */
  readonly blockId?: string;
  /** Edges off the default path so far. */
  readonly visitedEdges: number;
  readonly totalAnswers: number;
  /** The progress that was sent last. */
  readonly progress: number;
  readonly returnMark?: ReturnMark;
  readonly isStreamEnabled: boolean;
};

/** One flow under way. */
export type FrameState = {
  readonly program: string;
  readonly botId: string;
  readonly resultId: string | null;
  /** Variables written so far, in the order of writing: id, value, and the name where the flow does not know the id. */
  readonly written: readonly (
    | readonly [id: string, value: Value]
    | readonly [id: string, value: Value, name: string]
  )[];
  /** Variables that became session variables on the way. */
  readonly sessionVariableIds?: readonly string[];
  readonly answers: readonly (readonly [key: string, value: string])[];
  /** Where to go on when this flow has ended: in the flow that linked to it. */
  readonly queuedHops: readonly Hop[];
  /** Blocks that commands interrupted, the last first: the flow goes on there by itself when a command's way has ended. */
  readonly resumeAt?: readonly { readonly groupId: string; readonly blockId: string }[];
  readonly isMerging: boolean;
};

/** A way to the next block: an edge of the flow, or a place itself (jumps, links and returns make those). */
export type Hop = { readonly edgeId: string } | { readonly groupId: string; readonly blockId?: string };

/** Where a `Return` block leads. `reply` is applied when the walk comes back to the input. */
export type ReturnMark = { readonly status: "pending" | "called"; readonly blockId: string; readonly reply?: Reply };

/**
 * What a visitor said. `strangeFileUrls` are those of its addresses that lead to uploads of this service, but to none of
 * this chat: no input takes them as files.
 */
export type Reply =
  | {
      readonly type: "text";
      readonly text: string;
      readonly replyId?: string;
      readonly attachedFileUrls?: readonly string[];
      readonly strangeFileUrls?: readonly string[];
    }
  | { readonly type: "audio"; readonly url: string; readonly strangeFileUrls?: readonly string[] }
  | { readonly type: "command"; readonly command: string };
