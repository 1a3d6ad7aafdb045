import type { BlockBase } from "../../interpreter/program/block.ts";
import type { View } from "../../interpreter/program/view.ts";
import { type Action, defineAction, defineActions } from "../action.ts";
import { marked, option, titled } from "../options.ts";
import { leaveCall, objectOf, pairs } from "./deferred.ts";
import examples from "./examples.json";

const account = {
  credentialsId: titled(
    "Credentials",
    option.credentials(
      "Id of the workspace's credentials of the type `segment`. Without credentials, nothing is sent.",
    ),
  ),
};

const userId = marked(
  { title: "User", help: "The user's id in your own system; without an id, nothing is sent." },
  option.text("Id of the user in your own system. Without an id, nothing is sent."),
);
const properties = pairs("Properties", "Properties of the event.");

type Call = { readonly type: string; readonly userId: string; readonly [member: string]: unknown };

/** Defers a call to Segment's tracking API. Empty members are removed. */
function send(block: BlockBase, credentialsId: string | undefined, call: Call, view: View) {
  const members = Object.entries(call).filter(([, value]) => value !== "" && value !== undefined);
  const content = { ...Object.fromEntries(members), timestamp: new Date(view.now).toISOString() };
  const problem = problemOf(call);
  const wanted = problem === undefined ? { content } : { problem };
  return leaveCall(block, { credentialsId, wanted, name: "Segment" }, view);
}

/** Returns the reason, if any, why Segment would discard a call. Segment reports success even for discarded events. */
function problemOf({ userId, type, event, previousId }: Call): string | undefined {
  if (userId === "") return "The event has no user id";
  if (type === "track" && event === "") return "The event has no name";
  return type === "alias" && previousId === "" ? "The event has no previous id" : undefined;
}

const actions: readonly Action[] = [
  defineAction({
    name: "Alias",
    options: {
      ...account,
      userId,
      previousId: titled("Previous id", option.text("The user's previous id.")),
    },
    run: (block, given, view) => {
      const ids = { userId: view.text(given.userId), previousId: view.text(given.previousId) };
      return send(block, given.credentialsId, { type: "alias", ...ids }, view);
    },
  }),
  defineAction({
    name: "Identify User",
    options: {
      ...account,
      userId,
      email: titled("E-mail", option.text("E-mail address of the user.")),
      traits: pairs("Traits", "Details of the user."),
    },
    run: (block, given, view) => {
      const email = view.text(given.email);
      const traits = { ...(email !== "" && { email }), ...objectOf(given.traits, view) };
      return send(block, given.credentialsId, { type: "identify", userId: view.text(given.userId), traits }, view);
    },
  }),
  defineAction({
    name: "Page",
    options: {
      ...account,
      userId,
      name: option.text("Name of the page."),
      category: option.text("Category of the page."),
      properties,
    },
    run: (block, given, view) => {
      const page = { name: view.text(given.name), category: view.text(given.category) };
      const call = {
        type: "page",
        userId: view.text(given.userId),
        ...page,
        properties: objectOf(given.properties, view),
      };
      return send(block, given.credentialsId, call, view);
    },
  }),
  defineAction({
    name: "Track",
    options: {
      ...account,
      eventName: titled("Event", option.text("Name of the event.")),
      userId,
      properties,
    },
    run: (block, given, view) => {
      const [event, user] = [view.text(given.eventName), view.text(given.userId)];
      const call = { type: "track", userId: user, event, properties: objectOf(given.properties, view) };
      return send(block, given.credentialsId, call, view);
    },
  }),
];

export const segment = defineActions({
  type: "segment",
  summary:
    "Sends an event to Segment after the step is saved. Only in live chats. The result's log contains the outcome.",
  actions,
  editor: {
    name: "Segment",
    icon: "chart-pie",
    words: ["analytics", "tracking", "event", "identify", "twilio", "cdp"],
    row: ["{options.action}: {options.eventName}", "{options.action}"],
    related: [],
  },
  examples: examples["segment"],
});
