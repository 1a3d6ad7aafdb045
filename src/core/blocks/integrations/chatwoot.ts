import { type Static, Type } from "@sinclair/typebox";
import { defineIntegration } from "../../interpreter/program/block.ts";
import type { Outcome } from "../../interpreter/program/outcome.ts";
import { continueAfter } from "../../interpreter/program/outcome.ts";
import type { View } from "../../interpreter/program/view.ts";
import { clientScript } from "../client-script.ts";
import { helped, marked, option, shownWhen, titled } from "../options.ts";
import { closeWidgetScript, openWidgetScript } from "./chatwoot-scripts.ts";

const defaultBaseUrl = "https://app.chatwoot.com";

const userOption = (what: string) => option.code(`${what}, as JavaScript, which is usually one variable.`);

const shows = { task: ["Show widget"] };

const optionsSchema = Type.Object({
  task: titled("Action", option.word(["Show widget", "Close widget"], "Action.", "Show widget")),
  baseUrl: marked(
    { title: "Server", isAdvanced: true, shownWhen: shows },
    option.address("Address of the Chatwoot server.", defaultBaseUrl),
  ),
  websiteToken: shownWhen(
    shows,
    helped(
      "You find it in the settings of the inbox in Chatwoot.",
      option.text("Token of the website inbox. Without a token, the widget cannot be shown."),
    ),
  ),
  user: marked(
    {
      title: "Visitor",
      isAdvanced: true,
      shownWhen: shows,
      help: "Each value is JavaScript, which is usually one variable.",
    },
    option.part("Details of the visitor.", {
      id: userOption("Id of the visitor. Defaults to the e-mail address"),
      email: userOption("E-mail address of the visitor"),
      name: userOption("Name of the visitor"),
      avatarUrl: titled("Picture", userOption("URL of the visitor's picture")),
      phoneNumber: userOption("Phone number of the visitor"),
    }),
  ),
});

type Options = Static<typeof optionsSchema>;

export const chatwoot = defineIntegration({
  type: "Chatwoot",
  summary:
    "Opens the Chatwoot widget in the visitor's page, so that people can take over the chat, or closes the widget.",
  schema: Type.Object({ options: Type.Optional(optionsSchema) }),
  run(block, view) {
    const { options = {} } = block;
    return {
      ...continueAfter(block),
      ...(options.task === "Close widget" ? runOnClient(closeWidgetScript, view) : openWidget(options, view)),
    };
  },
  editor: {
    name: "Chatwoot",
    icon: "message-circle-question-mark",
    words: ["support", "live chat", "agent", "human", "handover"],
    row: ["{options.task}"],
    related: [],
  },
  examples: [
    {
      title: "The visitor's details are arguments of the script that opens the widget.",
      block: { options: { websiteToken: "token", user: { email: "{{Mail}}" } } },
      variables: { Mail: "ana@example.com" },
      expect: {
        actions: [
          { type: "chatwoot", chatwoot: { scriptToExecute: { args: [{ id: "v_Mail", value: "ana@example.com" }] } } },
        ],
      },
    },
    {
      title: "The widget is closed.",
      block: { options: { task: "Close widget" } },
      expect: {
        actions: [{ type: "chatwoot", chatwoot: { scriptToExecute: { content: closeWidgetScript, args: [] } } }],
      },
    },
  ],
});

type WidgetOutcome = Pick<Outcome, "actions" | "logs">;

function openWidget({ baseUrl, websiteToken, user = {} }: Options, view: View): WidgetOutcome {
  if (!view.isLive) {
    return {
      ...runOnClient("", view),
      logs: [{ status: "info", description: "Chatwoot block is not supported in preview" }],
    };
  }
  const token = view.text(websiteToken);
  if (token === "") return { logs: [{ description: "The Chatwoot block has no website token" }] };
  const address = withoutSlashes(view.text(baseUrl) || defaultBaseUrl);
  return runOnClient(openWidgetScript({ baseUrl: address, websiteToken: token }, user), view);
}

/**
 * Removes slashes at the end of an address. A loop is used because a regular expression would take quadratic time on
 * many slashes.
 */
function withoutSlashes(address: string): string {
  let end = address.length;
  while (address[end - 1] === "/") end--;
  return address.slice(0, end);
}

function runOnClient(script: string, view: View): WidgetOutcome {
  return { actions: [{ type: "chatwoot", chatwoot: { scriptToExecute: clientScript(script, view, {}) } }] };
}
