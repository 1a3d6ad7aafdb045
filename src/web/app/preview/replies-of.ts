import { listAt, textAt } from "../../conversation/read.ts";
import { type Message, type Reply, readStep } from "../../conversation/step.ts";
import { refusalOf } from "../../conversation/transcript.ts";
import type { Given } from "./run.ts";

type Kept = {
  /** The chats of the result, each with the steps that are still stored. */
  readonly chats?: readonly object[] | undefined;
  readonly answers: readonly { readonly blockId: string; readonly content: string }[];
};

/**
 * Returns the replies of a result, for repetition in a preview. Uses the accepted replies of the last chat that has
 * more than its start stored. Without such a chat, uses the answers of the result.
 */
export function repliesOf({ chats = [], answers }: Kept): readonly Given[] {
  const chat = chats.findLast((one) => listAt(one, "steps").length > 1);
  if (!chat) return answers.map(({ blockId, content }) => said({ type: "text", text: content }, blockId));
  const raw = listAt(chat, "steps");
  const steps = raw.map(readStep);
  return steps.flatMap((step, index): readonly Given[] => {
    const before = steps[index - 1];
    // The first step is the start, which the preview performs itself.
    if (before === undefined || refusalOf(step, before) !== undefined) return [];
    const inputId = before.input?.id;
    if (step.isTimeOver) return [{ kind: "time", inputId }];
    // Skips a step that was not started by a visitor, such as the end of a wait.
    if (inputId === undefined && step.reply === null) return [];
    return [said(messageOf(step.reply, textAt(raw[index], "reply", "command")), inputId)];
  });
}

function messageOf(reply: Reply | null, command: string | undefined): Message {
  if (command !== undefined) return { type: "command", command };
  if (reply === null) return null;
  const { type, text, replyId, files } = reply;
  if (type === "audio") return { type, url: text };
  return {
    type: "text",
    text,
    ...(files.length > 0 && { attachedFileUrls: files }),
    ...(replyId !== undefined && { metadata: { replyId } }),
  };
}

function said(message: Message, inputId: string | undefined): Given {
  return { kind: "said", message, inputId };
}
