import { askWithBlocks, fiveReplies } from "../flows.ts";
import type { VictimOrder } from "./victim.ts";

const wish = "va4";

/**
 * Returns the five questions with the expected answers. The third question follows a call of the server at `url`, and
 * the fifth question follows a script.
 */
export function askWithCallAndScript(url: string): { readonly flow: object; readonly talk: VictimOrder["talk"] } {
  const call = {
    type: "Webhook",
    options: {
      isAdvancedConfig: true,
      webhook: { url, method: "GET" },
      responseVariableMapping: [{ id: "m", variableId: wish, bodyPath: "data.says" }],
    },
  };
  const script = { type: "Code", options: { isExecutedOnClient: false, content: "setVariable('Wish', 'scripted')" } };
  const flow = askWithBlocks((index) => ({
    id: `more${index}`,
    ...(index === 2 ? call : index === 4 ? script : blank),
  }));
  const groups = flow.groups.map((group, index) => {
    const [more, ...asked] = group.blocks;
    return { ...group, blocks: [more, { ...tells, id: `tells${index}` }, ...asked] };
  });
  const told = ["", "called", "called", "scripted", "Goodbye"];
  return {
    flow: { ...flow, groups },
    talk: fiveReplies.map((message, index) => ({ message, answer: told[index] ?? "" })),
  };
}

/** Shows the value that the call or the script has set. */
const tells = { type: "text", content: { richText: [{ type: "p", children: [{ text: "{{Wish}}" }] }] } };
const blank = { type: "text", content: { richText: [{ type: "p", children: [{ text: "…" }] }] } };
