import { InvalidArgumentError } from "commander";
import { type EventType, eventTypes } from "../../events.ts";
import { limits } from "../../limits/index.ts";
import { type AddCommand, jsonOption, wholeNumber, wholeUpTo } from "../command.ts";
import { defaultUrl, serviceOptions } from "../service-options.ts";
import type { ListenOptions } from "./listen.ts";
import type { TriggerOptions } from "./trigger.ts";

const workspaceOption = ["--workspace <id or name>", "the workspace (default: the only one of the token)"] as const;

const listenNotes = `
Each event reaches the address as Parley would send it: the same body, headers and signature, in the same order. The secret of the signatures is
printed first, and is the same each time. Without an address the events are only printed. While it listens, "r" and Enter sends the last event
again, "r 3" the third one. --json prints one JSON object a line. Ctrl-C ends it, and removes the listener from the workspace's endpoints.`;

const triggerNotes = `
Events: ${eventTypes.join(", ")}.
The sample goes to everybody who runs "parley listen" in the workspace, or to the endpoint that --endpoint names. Its ids are those of nothing.`;

/** Adds `parley listen` and `parley trigger`, which deliver events to a developer's machine. */
export const addEvents: AddCommand = (program, tools) => {
  program
    .command("listen")
    .description("Hand a workspace's events to an address on this machine.")
    .argument("[address]", "where events go, such as http://localhost:4000/events")
    .option("--events <types>", "only these, with commas between them (default: all)", readTypes)
    .option("--endpoint <id>", "the events and the batches of this endpoint of the workspace")
    .option("--replay <n>", "begin with that endpoint's last events", wholeUpTo(limits.events.replayed))
    .option("--show", "print the body of each event, too")
    .option("--count <n>", "end after this many calls; the exit code is 1 if one was refused", wholeNumber)
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
    .description("Send a sample of an event to the listeners of a workspace.")
    .argument("<event>", "such as result.completed", readType)
    .option("--endpoint <id>", "send it to this endpoint of the workspace")
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
    throw new InvalidArgumentError(`There is no such event. There are: ${eventTypes.join(", ")}.`);
  return type;
}
