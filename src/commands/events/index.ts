import { InvalidArgumentError } from "commander";
import { type EventType, eventTypes } from "../../events.ts";
import { limits } from "../../limits/index.ts";
import { type AddCommand, jsonOption, wholeNumber, wholeUpTo } from "../command.ts";
import { defaultUrl, serviceOptions } from "../service-options.ts";
import type { ListenOptions } from "./listen.ts";
import type { TriggerOptions } from "./trigger.ts";

const workspaceOption = [
  "--workspace <id or name>",
  "the workspace (default: the only one that the token can access)",
] as const;

const listenNotes = `
The address receives each event as Parley would send it: with the same body, headers and signature, in the same order. The signing secret is
printed at the start, and is the same for all your listeners in the workspace. Without an address, the events are only printed. While the command
is running, "r" and Enter sends the last event again, "r 3" the third event. --json prints one JSON object per line. Ctrl-C ends the command, and
removes the listener from the workspace's endpoints.`;

const triggerNotes = `
Events: ${eventTypes.join(", ")}.
The sample is sent to everybody who runs "parley listen" in the workspace, or to the endpoint in --endpoint. Its ids do not refer to existing objects.`;

/**
 * Adds `parley listen`, which delivers events to a developer's machine, and `parley trigger`, which sends a sample
 * event.
 */
export const addEvents: AddCommand = (program, tools) => {
  program
    .command("listen")
    .description("Forward a workspace's events to an address on this machine.")
    .argument("[address]", "the address that receives the events, such as http://localhost:4000/events")
    .option("--events <types>", "only these events, separated by commas (default: all)", readTypes)
    .option("--endpoint <id>", "the same events and batches as this endpoint of the workspace")
    .option("--replay <n>", "start with that endpoint's last events", wholeUpTo(limits.events.replayed))
    .option("--show", "also print the body of each event")
    .option("--count <n>", "end after this number of calls; the exit code is 1 if a call was rejected", wholeNumber)
    .option(...workspaceOption)
    .option(...serviceOptions.url, defaultUrl(tools.environment))
    .option(...serviceOptions.token)
    .option(...jsonOption)
    .addHelpText("after", listenNotes)
    .action(async (address: string | undefined, options: ListenOptions) =>
      (await import("./listen.ts")).listen(tools, address, options),
    );
  program
    .command("trigger")
    .description("Send a sample event to the listeners of a workspace.")
    .argument("<event>", "the event's type, such as result.completed", readType)
    .option("--endpoint <id>", "send the event to this endpoint of the workspace")
    .option(...workspaceOption)
    .option(...serviceOptions.url, defaultUrl(tools.environment))
    .option(...serviceOptions.token)
    .option(...jsonOption)
    .addHelpText("after", triggerNotes)
    .action(async (type: EventType, options: TriggerOptions) =>
      (await import("./trigger.ts")).trigger(tools, type, options),
    );
};

function readTypes(text: string): EventType[] {
  return text.split(",").map((name) => readType(name.trim()));
}

function readType(name: string): EventType {
  const type = eventTypes.find((each) => each === name);
  if (type === undefined)
    throw new InvalidArgumentError(`There is no such event. The events are: ${eventTypes.join(", ")}.`);
  return type;
}
