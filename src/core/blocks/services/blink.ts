import { isJsonObject, type JsonObject, valueAt } from "../../interpreter/flow.ts";
import type { BlockBase } from "../../interpreter/program/block.ts";
import { continueAfter, type Outcome } from "../../interpreter/program/outcome.ts";
import type { Write } from "../../interpreter/program/variables.ts";
import type { View } from "../../interpreter/program/view.ts";
import { type Action, defineAction, defineActions } from "../action.ts";
import { failedWith, logged } from "../logged.ts";
import { redirectTo } from "../logic/redirect.ts";
import { missingCredentials } from "../models/call.ts";
import { helped, mappingOption, marked, option, titled } from "../options.ts";
import { answerOf, serviceCall } from "../service-answer.ts";
import { type CardSection, cardOf, sectionsOption } from "./blink-card.ts";
import { leaveCall } from "./deferred.ts";
import examples from "./examples.json";

const name = "Blink";
const context = "While calling Blink";

const account = {
  credentialsId: titled("Credentials", option.credentials("Id of the workspace's credentials of the type `blink`.")),
};

/** The parts of a user that can be stored in variables, with their property names. */
const parts = {
  "User ID": "id",
  "Employee ID": "employee_id",
  Email: "email",
  "First name": "first_name",
  "Last name": "last_name",
  "Display name": "display_name",
  Initials: "initials",
  Company: "company_name",
  Department: "department_name",
  "Job title": "job_title",
  "Manager ID": "manager_id",
  "Profile photo ID": "profile_photo_id",
  Timezone: "timezone",
  "Account status": "account_status",
} as const;
const items = ["User ID", ...Object.keys(parts).slice(1)];

const members: ReadonlyMap<string, string> = new Map(Object.entries(parts));

const getUsers = defineAction({
  name: "Get Users",
  options: {
    ...account,
    filter: titled(
      "Users",
      option.part("The users to look up. Without an id, no user is found.", {
        by: titled(
          "Found by",
          option.word(["User ID", "Employee ID"], "The kind of id by which the users are found.", "User ID"),
        ),
        value: titled("Id", option.text("Id of the user.")),
      }),
    ),
    responseMapping: mappingOption(items),
  },
  items,
  run(block, given, view) {
    const credentialsId = view.text(given.credentialsId);
    if (credentialsId === "") return failedWith(block, missingCredentials(block));
    const { by, value } = filterOf(given.filter, view);
    if (value === "") return failedWith(block, { description: "No Blink user is chosen", context });
    const query = [[by === "User ID" ? "user_id" : "employee_id", value]] as const;
    return { kind: "perform", effect: serviceCall(block, credentialsId, { method: "GET", path: "/v2/users", query }) };
  },
  report(block, given, view, { report }) {
    const answer = answerOf(block, report, name);
    if ("instead" in answer) return answer.instead;
    const all = usersIn(answer.json);
    if (!all) return failedWith(block, { description: "Blink's response has no users", context });
    const { by, value } = filterOf(given.filter, view);
    // The response is filtered again because Blink returns all users for a filter that it does not support.
    const found = all.filter((user) => partOf(user, by) === value);
    if (found.length === 0) {
      return logged(block, { status: "info", description: "No Blink users were found", context });
    }
    const writes = (given.responseMapping ?? []).flatMap(({ item = "User ID", variableId }): Write[] => {
      const values = found.map((user) => partOf(user, item));
      return variableId ? [{ variableId, value: values.length === 1 ? (values[0] ?? null) : values }] : [];
    });
    return { ...continueAfter(block), writes };
  },
});

type Filter = { readonly by?: string; readonly value?: string } | undefined;

function filterOf(filter: Filter, view: View): { readonly by: string; readonly value: string } {
  return { by: filter?.by ?? "User ID", value: view.text(filter?.value).trim() };
}

function partOf(user: JsonObject, item: string): string | null {
  const value = user[members.get(item) ?? ""];
  return typeof value === "string" || typeof value === "number" ? String(value) : null;
}

/**
 * Returns the users in a response, or undefined if the response contains no list. The list may be the response itself,
 * or its property `data`, `users` or `data.users`.
 */
function usersIn(json: unknown): readonly JsonObject[] | undefined {
  const list = [json, valueAt(json, "data"), valueAt(json, "users"), valueAt(json, "data", "users")].find(
    Array.isArray,
  );
  return Array.isArray(list) ? list.filter(isJsonObject) : undefined;
}

const sendFeedEvent = defineAction({
  name: "Send Feed Event",
  options: {
    ...account,
    category: helped(
      "Id of the category in Blink's admin panel.",
      option.text("Id of the category, as the admin panel of Blink shows it for the app."),
    ),
    sections: sectionsOption,
    ribbonColor: marked(
      { title: "Colour of the ribbon", help: "Such as `#fa5655`." },
      option.text("Colour of the card's ribbon, such as `#fa5655`."),
    ),
    userIds: marked(
      { title: "Users", help: "Ids of the users, separated by commas." },
      option.text("Ids of the users who receive the event, separated by commas."),
    ),
    groupIds: marked(
      { title: "Teams", help: "Ids of the teams, separated by commas." },
      option.text("Ids of the teams that receive the event, separated by commas."),
    ),
  },
  run: (block, given, view) =>
    leaveCall(block, { credentialsId: given.credentialsId, wanted: feedEvent(given, view), name }, view),
});

type FeedEvent = {
  readonly category?: string;
  readonly sections?: readonly CardSection[];
  readonly ribbonColor?: string;
  readonly userIds?: string;
  readonly groupIds?: string;
};

/**
 * Returns an event for Blink's feed, or the reason why no event can be sent. API reference:
 * https://developer.joinblink.com/reference/send-feed-event
 */
function feedEvent(given: FeedEvent, view: View) {
  const category = view.text(given.category).trim();
  if (category === "") return { problem: "The event has no category" };
  const card = cardOf(given, view);
  if ("problem" in card) return card;
  const [users, groups] = [idsIn(view.text(given.userIds)), idsIn(view.text(given.groupIds))];
  if (users.length + groups.length === 0) return { problem: "The event has no users and no teams" };
  const audience = { ...(users.length > 0 && { user_ids: users }), ...(groups.length > 0 && { group_ids: groups }) };
  return { content: { category, body: JSON.stringify(card), ...audience } };
}

function idsIn(text: string): string[] {
  return text
    .split(",")
    .map((id) => id.trim())
    .filter((id) => id !== "");
}

const redirect = defineAction({
  name: "Redirect",
  options: { url: option.address("URL that the visitor's page opens. Without a URL, no page is opened.") },
  run: (block: BlockBase, { url }, view): Outcome => (url ? redirectTo(block, { url }, view) : continueAfter(block)),
});

const actions: readonly Action[] = [getUsers, sendFeedEvent, redirect];

export const blink = defineActions({
  type: "blink",
  summary: "Looks up users of Blink, sends events to its feed after the step is saved, or opens a page.",
  actions,
  editor: {
    name: "Blink",
    icon: "newspaper",
    words: ["feed", "employees", "intranet", "staff", "news", "frontline"],
    row: ["{options.action}"],
    related: [],
  },
  examples: examples["blink"],
});
