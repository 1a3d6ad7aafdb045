import type { BlockBase } from "../../interpreter/program/block.ts";
import type { Outcome } from "../../interpreter/program/outcome.ts";
import type { View } from "../../interpreter/program/view.ts";
import { defineAction, defineActions } from "../action.ts";
import { advanced, helped, marked, option, titled } from "../options.ts";
import { leaveCall, objectOf, pairs } from "./deferred.ts";
import examples from "./examples.json";

const account = {
  credentialsId: titled(
    "Credentials",
    option.credentials(
      "Id of the workspace's credentials of the type `posthog`. Without credentials, nothing is sent.",
    ),
  ),
};

const properties = pairs("Properties", "Properties of the event.");

type PosthogEvent = {
  readonly event: string;
  readonly distinctId: string;
  readonly properties: Readonly<Record<string, unknown>>;
};

/** Defers a PostHog event. An event without a distinct id is not assigned to a person. */
function leaveEvent(
  block: BlockBase,
  { credentialsId, event }: { credentialsId: string | undefined; event: PosthogEvent | { readonly problem: string } },
  view: View,
): Outcome {
  if ("problem" in event) return leaveCall(block, { credentialsId, wanted: event, name: "PostHog" }, view);
  const { event: name, distinctId, properties: given } = event;
  const content = {
    event: name,
    properties: { ...given, ...(distinctId !== "" && { distinct_id: distinctId }) },
    timestamp: new Date(view.now).toISOString(),
  };
  return leaveCall(block, { credentialsId, wanted: { content }, name: "PostHog" }, view);
}

const capture = defineAction({
  name: "Capture",
  options: {
    ...account,
    event: option.text("Name of the event. Without a name, nothing is sent."),
    isAnonymous: marked(
      { title: "Anonymous", help: "PostHog does not create a profile of the person." },
      option.flag("Whether the event is anonymous. Otherwise PostHog creates a profile of the person."),
    ),
    distinctId: marked(
      { title: "Distinct id", help: "The person's id in your own system." },
      option.text("Id of the person. Required unless the event is anonymous."),
    ),
    properties,
    personProperties: advanced(pairs("Person properties", "Properties to set in the person's profile.")),
    groups: advanced(
      helped(
        "A type such as `company`, and the group's id in your own system.",
        pairs("Groups", "Types of groups, each with the key of the group to which the event belongs."),
      ),
    ),
  },
  run(block, given, view) {
    const { credentialsId, isAnonymous = false } = given;
    const [event, distinctId] = [view.text(given.event).trim(), view.text(given.distinctId)];
    const problem =
      event === ""
        ? "The event has no name"
        : isAnonymous || distinctId !== ""
          ? undefined
          : "The event has no distinct id";
    const [person, groups] = [objectOf(given.personProperties, view), objectOf(given.groups, view)];
    const all = {
      ...objectOf(given.properties, view),
      ...(person && { $set: person }),
      ...(groups && { $groups: groups }),
      ...(isAnonymous && { $process_person_profile: false }),
    };
    const wanted = problem === undefined ? { event, distinctId, properties: all } : { problem };
    return leaveEvent(block, { credentialsId, event: wanted }, view);
  },
});

const identifyGroup = defineAction({
  name: "Identify Group",
  options: {
    ...account,
    groupType: marked(
      { title: "Group type", help: "Such as `company`." },
      option.text("Type of the group, such as `company`."),
    ),
    groupKey: marked(
      { title: "Group key", help: "The group's id in your own system." },
      option.text("Id of the group in your own system."),
    ),
    properties,
  },
  run(block, given, view) {
    const { credentialsId } = given;
    const [type, key] = [view.text(given.groupType).trim(), view.text(given.groupKey).trim()];
    if (type === "" || key === "") {
      return leaveEvent(block, { credentialsId, event: { problem: "The group has no type or no key" } }, view);
    }
    const all = { $group_type: type, $group_key: key, $group_set: objectOf(given.properties, view) ?? {} };
    // PostHog's own libraries use this id so that no person is created for the group.
    const event = { event: "$groupidentify", distinctId: `$${type}_${key}`, properties: all };
    return leaveEvent(block, { credentialsId, event }, view);
  },
});

export const posthog = defineActions({
  type: "posthog",
  summary:
    "Sends an event to PostHog after the step is saved. Only in live chats. The result's log contains the outcome.",
  actions: [capture, identifyGroup],
  editor: {
    name: "PostHog",
    icon: "chart-column-increasing",
    words: ["analytics", "tracking", "event", "capture", "group"],
    row: ["{options.action}: {options.event}", "{options.action}: {options.groupType}", "{options.action}"],
    related: [],
  },
  examples: examples["posthog"],
});
