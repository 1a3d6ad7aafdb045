import { nameOfProvider } from "../../credentials/providers.ts";
import type { ModelMessage } from "../../interpreter/program/model.ts";
import { defineAction } from "../action.ts";
import { helped, option } from "../options.ts";
import { afterChat, askChat } from "./chat-completion.ts";
import { chatItems, chatOptions, modelAdvice } from "./chat-options.ts";
import { generateVariables } from "./generate-variables.ts";
import { defineModelBlock } from "./model-block.ts";

const createMessage = defineAction({
  name: "Create Chat Message",
  options: {
    ...chatOptions,
    systemMessage: helped(
      "Tells the model how to behave.",
      option.longText("Instructions to the model, which come before the messages."),
    ),
  },
  items: chatItems,
  advice: modelAdvice,
  run(block, { systemMessage = "", messages = [], ...options }, view) {
    const allMessages = [{ role: "system", content: systemMessage } as const, ...messages];
    return askChat(block, { ...options, messages: allMessages }, view, { adapt: withOneSystemMessage });
  },
  report: afterChat,
});

export const anthropic = defineModelBlock({
  type: "anthropic",
  summary: "Asks an Anthropic language model for an answer, or for values that it extracts from a text.",
  editor: {
    name: nameOfProvider("anthropic"),
    icon: "sparkles",
    words: ["claude", "ai", "llm", "model", "assistant", "chat"],
  },
  actions: [createMessage, generateVariables],
});

function withOneSystemMessage(messages: readonly ModelMessage[]): readonly ModelMessage[] {
  const system = messages.filter(({ role }) => role === "system").map(({ content }) => content);
  const others = messages.filter(({ role }) => role !== "system");
  return system.length === 0 ? others : [{ role: "system", content: system.join("\n\n") }, ...others];
}
