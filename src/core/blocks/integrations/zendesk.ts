import type { BlockBase } from "../../interpreter/program/block.ts";
import { continueAfter, type Outcome } from "../../interpreter/program/outcome.ts";
import { defineAction, defineActions } from "../action.ts";
import { logged } from "../logged.ts";
import { missingCredentials } from "../models/call.ts";
import { marked, option, titled } from "../options.ts";
import examples from "./examples.json";

const openWidget = defineAction({
  name: "Open Web Widget",
  options: {
    credentialsId: marked(
      { title: "Credentials", help: "Used to sign visitors in." },
      option.credentials("Id of the workspace's credentials of the type `zendesk`, with which visitors are signed in."),
    ),
    webWidgetKey: titled(
      "Key of the widget",
      option.text("Key of the web widget. Without a key, the widget is not opened."),
    ),
    userId: marked(
      { title: "User", help: "The visitor's id in your own system; without an id, the visitor is not signed in." },
      option.text("Id of the visitor in your own system. Without an id, the visitor is not signed in."),
    ),
    name: option.text("Name of the visitor."),
    email: titled("E-mail", option.text("E-mail address of the visitor.")),
  },
  run(block, given, view) {
    if (!view.isLive) return logged(block, { status: "info", description: "Zendesk is not called in preview mode" });
    const widgetKey = view.text(given.webWidgetKey).trim();
    if (widgetKey === "") return logged(block, { description: "The Zendesk block has no widget key" });
    const userId = view.text(given.userId).trim();
    if (userId === "") return opens(block, { widgetKey, token: null });
    const credentialsId = view.text(given.credentialsId);
    if (credentialsId === "") return logged(block, missingCredentials(block));
    const [name, email] = [view.text(given.name), view.text(given.email)];
    return { kind: "perform", effect: { kind: "userToken", credentialsId, userId, name, email } };
  },
  report(block, given, view, { report }) {
    if (report.kind === "refused") return logged(block, { status: "info", description: report.reason });
    if (report.kind !== "userToken" || report.token === null) return logged(block, missingCredentials(block));
    return opens(block, { widgetKey: view.text(given.webWidgetKey).trim(), token: report.token });
  },
});

/** Values are passed to the script as arguments, so that they are never evaluated as code. */
const script = `const open = () => {
  if (token) window.zE("messenger", "loginUser", (callback) => callback(token));
  window.zE("messenger", "open");
};
if (window.zE) {
  open();
} else {
  const snippet = document.createElement("script");
  snippet.id = "ze-snippet";
  snippet.src = "https://static.zdassets.com/ekr/snippet.js?key=" + encodeURIComponent(widgetKey);
  snippet.async = true;
  snippet.onload = open;
  document.head.appendChild(snippet);
}`;

function opens(block: BlockBase, { widgetKey, token }: { widgetKey: string; token: string | null }): Outcome {
  const args = [
    { id: "widgetKey", value: widgetKey },
    { id: "token", value: token },
  ];
  return { ...continueAfter(block), actions: [{ type: "codeToExecute", codeToExecute: { args, content: script } }] };
}

export const zendesk = defineActions({
  type: "zendesk",
  summary:
    "Opens Zendesk's web widget in the visitor's page, and signs the visitor in if their id is known. Only in live chats.",
  actions: [openWidget],
  editor: {
    name: "Zendesk",
    icon: "headset",
    words: ["support", "live chat", "agent", "human", "handover"],
    row: ["{options.action}"],
    related: [],
  },
  examples: examples["zendesk"],
});
