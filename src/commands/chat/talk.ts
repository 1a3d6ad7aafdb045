import { existsSync } from "node:fs";
import { type Input, isOver, pauseOf, readStart, readStep, type Step } from "../../web/conversation/step.ts";
import type { Tools } from "../command.ts";
import { type Place, post, upload, waitMs } from "./client.ts";
import { actionText, bubbleText, questionText, replyOf, takesFiles } from "./words.ts";

export type Terminal = Pick<Tools, "print" | "tell"> & {
  /** The visitor's lines. The iteration ends when the visitor leaves. */
  readonly lines: AsyncIterable<string>;
};

/** The longest pause. Longer pauses of a flow are shortened to it. */
const longestPauseMs = 3_000;

/**
 * Runs a whole chat: prints the bot's messages and sends each line as an answer until the chat or the input ends. Also
 * ends if the chat waits for a webhook or for an event on its page.
 */
export async function talk(place: Place, terminal: Terminal): Promise<void> {
  const onWait = (reason: string) => terminal.tell(`${reason} Trying again ...`);
  const started = await post(place, `/api/v1/bots/${encodeURIComponent(place.publicId)}/startChat`, {
    body: { textBubbleContentFormat: "markdown" },
    isKnown: false,
    onWait,
  });
  const known = { isKnown: true, onWait };
  const { sessionId, steps } = readStart(started);
  const say = async (body: object) =>
    readStep(await post(place, `/api/v1/sessions/${sessionId}/continueChat`, { ...known, body }));
  const lines = terminal.lines[Symbol.asyncIterator]();
  let step = steps.at(-1);
  while (step) {
    await show(step, terminal);
    const pause = pauseOf(step);
    if (pause === "webhook" || pause === "embed") {
      return terminal.tell(
        `The chat waits for ${pause === "webhook" ? "a call to its webhook" : "an event on its page"}.`,
      );
    }
    if (pause !== undefined) {
      // A terminal cannot run the actions of a browser, so it skips them. A page also skips an action that it cannot
      // run.
      step = await say({});
      continue;
    }
    if (!step.input || sessionId === null || isOver(step)) {
      return terminal.tell("The chat has ended.");
    }
    terminal.print(`${questionText(step.input)} `);
    const line = await lines.next();
    if (line.done) return terminal.print("\n");
    step = await say(
      await answerOf(line.value, step.input, (file, blockId) => {
        return upload(place, file, { ...known, target: { sessionId, blockId } });
      }),
    );
  }
}

/** Prints a step's messages with the pauses between them, and then its visible actions. */
async function show(step: Step, { print }: Terminal): Promise<void> {
  for (const bubble of step.messages) {
    print(`${bubbleText(bubble)}\n`);
    for (const action of step.actions.filter(({ lastBubbleBlockId }) => lastBubbleBlockId === bubble.id)) {
      await Bun.sleep(Math.min(waitMs(action), longestPauseMs));
    }
  }
  for (const action of step.actions) {
    const text = actionText(action);
    if (text !== undefined) print(`${text}\n`);
  }
}

async function answerOf(
  line: string,
  input: Input,
  store: (file: Bun.BunFile, blockId: string) => Promise<string>,
): Promise<object> {
  if (!takesFiles(input)) return { message: replyOf(line, input) };
  const path = line.trim();
  if (path === "") return {};
  if (!existsSync(path)) return { message: path };
  const url = await store(Bun.file(path), input.id);
  return { message: { type: "text", text: url, attachedFileUrls: [url] } };
}
