import { startKindOf } from "../../flow/convert.ts";
import type { Rule } from "../rule.ts";

export const noStart: Rule = {
  name: "no_start",
  severity: "error",
  about:
    "A flow begins at its start event or, before version 6, at a `start` block. Without a start, chats show nothing.",
  advice: "Add a start event and connect it to the first group.",
  *find({ flow }) {
    if (startKindOf(flow) !== "none") return;
    yield { path: "events", message: "There is no start event, so chats show nothing." };
  },
};
