import { Type } from "@sinclair/typebox";
import { valueAt } from "../../interpreter/flow.ts";
import { untrustedJsonOrText } from "../../interpreter/language/untrusted-json.ts";
import { defineBubble } from "../../interpreter/program/block.ts";
import { readNumberOrVariable } from "../../interpreter/schemas/schema.ts";
import { helped, marked, option, titled, whenEnabled } from "../options.ts";
import examples from "./examples.json";

const contentSchema = Type.Object({
  url: titled("Page", option.address("URL of the page.")),
  height: helped("In pixels.", option.numberOrVariable("Height in pixels.", 400)),
  waitForEvent: option.part("The event that the flow waits for.", {
    isEnabled: marked(
      { title: "Wait for an event", help: "The chat continues when the page sends an event." },
      option.flag("Whether the flow waits until the page sends an event."),
    ),
    name: whenEnabled(titled("Name of the event", option.text("Name of the event."))),
    saveDataInVariableId: whenEnabled(
      titled("Save event data in", option.writtenVariable("Id of the variable for the event's data.")),
    ),
  }),
});

export const embed = defineBubble({
  type: "embed",
  summary: "Shows another page in a frame. The chat can wait until that page sends an event.",
  content: contentSchema,
  shown: Type.Object({
    ...contentSchema.properties,
    height: option.number("Height in pixels.", 400),
  }),
  show:
    ({ height, url, waitForEvent }) =>
    (view) => {
      const shownHeight = readNumberOrVariable(typeof height === "string" ? view.text(height) : height);
      return {
        ...(url !== undefined && { url: view.text(url) }),
        ...(shownHeight !== undefined && { height: shownHeight }),
        ...(waitForEvent && { waitForEvent: view.deep(waitForEvent) }),
      };
    },
  holdsVisitor: true,
  waits: ({ waitForEvent }) => waitForEvent?.isEnabled ?? false,
  resume({ waitForEvent }, _view, reply) {
    const variableId = waitForEvent?.saveDataInVariableId;
    if (reply?.type !== "text" || variableId === undefined) return { kind: "next" };
    return { kind: "next", writes: [{ variableId, value: untrustedJsonOrText(reply.text) }] };
  },
  ways: ({ content }) =>
    valueAt(content, "waitForEvent", "isEnabled") === true
      ? { waits: true, ways: [{ kind: "on" }] }
      : { waits: false, ways: [{ kind: "next" }] },
  editor: {
    name: "Embed",
    icon: "app-window",
    words: ["iframe", "page", "website", "map", "calendar", "pdf"],
    row: ["{content.url:address}"],
    related: ["video", "image", "audio"],
  },
  examples: examples["embed"],
});
