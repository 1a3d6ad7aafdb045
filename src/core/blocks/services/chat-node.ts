import { textAt } from "../../interpreter/flow.ts";
import { segment } from "../../interpreter/program/call.ts";
import { continueAfter } from "../../interpreter/program/outcome.ts";
import type { Write } from "../../interpreter/program/variables.ts";
import { defineAction, defineActions } from "../action.ts";
import { failedWith } from "../logged.ts";
import { missingCredentials } from "../models/call.ts";
import { mappingOption, marked, option, titled } from "../options.ts";
import { answerOf, serviceCall } from "../service-answer.ts";

const name = "ChatNode";
const context = "While calling ChatNode";
const items = ["Message", "Thread ID"] as const;

/** API reference: https://chatnode.ai/docs/developer-guides/endpoint/send-message */
const sendMessage = defineAction({
  name: "Send Message",
  writes: true,
  options: {
    credentialsId: titled(
      "Credentials",
      option.credentials("Id of the workspace's credentials of the type `chat-node`."),
    ),
    botId: marked({ title: "Bot", help: "Id of the bot at ChatNode." }, option.text("Id of the bot at ChatNode.")),
    threadId: marked(
      { title: "Conversation", isAdvanced: true, help: "Leave it empty to start a new conversation." },
      option.text(
        "Id of the conversation to continue, such as a variable that stores `Thread ID`. Without it, a new conversation starts.",
      ),
    ),
    message: option.longText("The message to the bot."),
    responseMapping: mappingOption(items),
  },
  items,
  run(block, given, view) {
    const credentialsId = view.text(given.credentialsId);
    if (credentialsId === "") return failedWith(block, missingCredentials(block));
    const [botId, threadId, message] = [
      view.text(given.botId).trim(),
      view.text(given.threadId).trim(),
      view.text(given.message),
    ];
    if (botId === "") return failedWith(block, { description: "No ChatNode bot is chosen", context });
    if (message.trim() === "") return failedWith(block, { description: "No message provided", context });
    const body = { message, ...(threadId !== "" && { chat_session_id: threadId }) };
    const request = { method: "POST", path: `/${segment(botId)}`, body } as const;
    return { kind: "perform", effect: serviceCall(block, credentialsId, request) };
  },
  report(block, { responseMapping = [] }, _view, { report }) {
    const answer = answerOf(block, report, name);
    if ("instead" in answer) return answer.instead;
    const message = textAt(answer.json, "message");
    if (message === undefined) return failedWith(block, { description: "ChatNode's response has no message", context });
    const values = { Message: message, "Thread ID": textAt(answer.json, "chat_session_id") ?? null };
    const writes = responseMapping.flatMap(({ item = items[0], variableId }): Write[] =>
      variableId ? [{ variableId, value: values[item] }] : [],
    );
    return { ...continueAfter(block), writes };
  },
});

export const chatNode = defineActions({
  type: "chat-node",
  summary: "Sends a message to a ChatNode bot, and saves the bot's answer in variables.",
  actions: [sendMessage],
  editor: {
    name: "ChatNode",
    icon: "bot-message-square",
    family: "thinks",
    words: ["ai", "llm", "bot", "knowledge", "chat"],
    row: ["{options.action}"],
    related: ["dify-ai"],
  },
});
