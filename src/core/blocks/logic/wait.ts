import { textAt, valueAt } from "../../interpreter/flow.ts";
import { defineLogic } from "../../interpreter/program/block.ts";
import { continueAfter } from "../../interpreter/program/outcome.ts";
import { timerOf } from "../../interpreter/program/timer.ts";
import { blockSchema, marked, option, titled } from "../options.ts";
import examples from "./examples.json";

/**
 * The longest wait, in seconds, that only the visitor's client measures. A longer wait also ends without the client.
 */
const longWaitSeconds = 30;

const schema = blockSchema({
  secondsToWaitFor: titled(
    "Seconds",
    option.text("Number of seconds. If it is missing or not a number, the block has no effect."),
  ),
  shouldPause: marked(
    { title: "Pause the flow", help: "Otherwise the flow continues, and only its messages are delayed." },
    option.flag(
      "Whether the flow pauses until the client reports the end of the time. A pause of more than 30 seconds also ends without the client. Without a pause, the flow continues, and the client delays its messages.",
    ),
  ),
});

export const wait = defineLogic({
  type: "Wait",
  summary: "Waits some seconds in the visitor's client before the following messages are shown.",
  schema,
  run(block, view) {
    const { secondsToWaitFor, shouldPause } = block.options ?? {};
    const seconds = secondsToWaitFor ? Number(view.text(secondsToWaitFor)) : Number.NaN;
    if (!Number.isFinite(seconds) || (seconds === 0 && !shouldPause)) return continueAfter(block);
    const expectsDedicatedReply = shouldPause !== undefined && { expectsDedicatedReply: shouldPause };
    const actions = [{ type: "wait", wait: { secondsToWaitFor: seconds }, ...expectsDedicatedReply }];
    return shouldPause ? { kind: "pause", actions } : { ...continueAfter(block), actions };
  },
  timer(block, view) {
    const seconds = Number(view.text(block.options?.secondsToWaitFor));
    return seconds > (view.contact ? 0 : longWaitSeconds) ? timerOf("wait", seconds) : undefined;
  },
  ways({ options }) {
    const isPause = valueAt(options, "shouldPause") === true && Boolean(textAt(options, "secondsToWaitFor"));
    return { waits: isPause, ways: [{ kind: "on" }] };
  },
  editor: {
    name: "Wait",
    icon: "hourglass",
    words: ["delay", "pause", "sleep", "timer", "seconds"],
    row: ["{options.secondsToWaitFor} s"],
    related: [],
  },
  examples: examples["Wait"],
});
