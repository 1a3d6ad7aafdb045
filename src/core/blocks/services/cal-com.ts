import { type FlowBlock, textAt } from "../../interpreter/flow.ts";
import { continueAfter } from "../../interpreter/program/outcome.ts";
import type { View } from "../../interpreter/program/view.ts";
import { defineAction, defineActions } from "../action.ts";
import { logged } from "../logged.ts";
import { marked, option, titled } from "../options.ts";
import examples from "./examples.json";

/**
 * Runs Cal.com's script in a frame so that its globals and styles do not affect the visitor's page. Values are passed
 * as arguments, never as code. If the page has no origin (such as a preview) or the script cannot be loaded, the chat
 * continues.
 */
const fillBooking = `if (self.origin === "null") return continueFlow();
const frame = document.createElement("iframe");
frame.title = link;
frame.style.cssText = "display:block;width:100%;height:40rem;border:0";
typebotElement.append(frame);
const inner = frame.contentDocument;
const element = inner.createElement("div");
element.id = "booking";
inner.body.append(element);
const Cal = (...instruction) => Cal.q.push(instruction);
Object.assign(Cal, { loaded: true, ns: {}, q: [] });
frame.contentWindow.Cal = Cal;
Cal("init", { origin });
Cal("inline", { elementOrSelector: "#booking", calLink: link, config });
const script = inner.createElement("script");
script.src = origin + "/embed/embed.js";
script.onerror = () => {
  frame.remove();
  continueFlow();
};
inner.head.append(script);`;

/**
 * Continues the flow with the date of the first booking. Newer servers report a booking with a different event, and
 * some servers send both events.
 */
const hearBooking = `const Cal = typebotElement.querySelector("iframe")?.contentWindow?.Cal;
let isBooked = false;
const book = (date) => {
  if (isBooked) return;
  isBooked = true;
  continueFlow(date);
};
Cal?.("on", { action: "bookingSuccessful", callback: ({ detail }) => book(detail.data.date) });
Cal?.("on", { action: "bookingSuccessfulV2", callback: ({ detail }) => book(detail.data.startTime) });`;

const usualServer = "https://app.cal.com";
/** Cal.com's own servers. Code from any other server is treated as code of the author. */
const ownOrigins = [usualServer, "https://cal.com"];
const layouts = new Map([
  ["Month", "month_view"],
  ["Weekly", "week_view"],
  ["Columns", "column_view"],
]);

const bookEvent = defineAction({
  name: "Book event",
  options: {
    baseUrl: marked(
      { title: "Server", help: "Only if you host Cal.com yourself." },
      option.address(
        "URL of your own Cal.com server. Variables are not replaced, because the server's code runs in the visitor's page.",
        usualServer,
      ),
    ),
    link: marked(
      { title: "Event", help: "The end of the event's link, such as `ana/30min`." },
      option.text("The event's link, such as `ana/30min`. Without a link, nothing is shown."),
    ),
    layout: titled("Layout", option.chosen([...layouts.keys()], "Layout of the available times.", "Month")),
    name: option.text("Name of the visitor."),
    email: titled("E-mail", option.text("E-mail address of the visitor.")),
    additionalNotes: titled("Notes", option.text("Additional notes for the booking.")),
    phone: titled("Phone", option.text("Phone number of the visitor.")),
    anyPrefilledInformations: marked(
      { title: "Additional questions", help: "The form already contains these answers." },
      option.list("Answers to your own questions, which the form already contains.", {
        questionId: marked(
          { title: "Question", help: "Identifier of the question at Cal.com." },
          option.text("Identifier of the question at Cal.com."),
        ),
        value: titled("Answer", option.text("The answer.")),
      }),
    ),
    saveBookedDateInVariableId: titled(
      "Save date in",
      option.writtenVariable("Id of the variable that stores the date of the booking."),
    ),
  },
  run(block, given, view) {
    const origin = originOf(given.baseUrl);
    const link = origin === undefined ? "" : pathOf(view.text(given.link), origin);
    if (origin === undefined) return logged(block, { description: "The URL of the Cal.com server is not valid" });
    if (link === "") return logged(block, { description: "The Cal.com block has no event link" });
    const config = prefilled(given, view);
    const args = Object.entries({ origin, link, config }).map(([id, value]) => ({ id, value }));
    const content = {
      url: `${origin}/${link}?${new URLSearchParams(config)}`,
      initFunction: { args, content: fillBooking },
      waitForEventFunction: { args: [], content: hearBooking },
    };
    return { kind: "pause", messages: [{ id: view.random.text(24), type: "custom-embed", content }] };
  },
  resume(block, { saveBookedDateInVariableId: variableId }, _view, reply) {
    const isSaved = reply?.type === "text" && variableId !== undefined;
    return { ...continueAfter(block), ...(isSaved && { writes: [{ variableId, value: reply.text }] }) };
  },
});

type Given = {
  readonly layout?: string;
  readonly name?: string;
  readonly email?: string;
  readonly additionalNotes?: string;
  readonly phone?: string;
  readonly anyPrefilledInformations?: readonly { readonly questionId?: string; readonly value?: string }[];
};

function prefilled(given: Given, view: View): Record<string, string> {
  const own = (given.anyPrefilledInformations ?? []).map(({ questionId, value }): [string, string] => [
    view.text(questionId).trim(),
    view.text(value),
  ]);
  const all: [string, string][] = [
    ["layout", layouts.get(given.layout ?? "") ?? "month_view"],
    ["name", view.text(given.name)],
    ["email", view.text(given.email)],
    ["notes", view.text(given.additionalNotes)],
    ["attendeePhoneNumber", view.text(given.phone)],
    ...own,
  ];
  return Object.fromEntries(all.filter(([key, value]) => key !== "" && value !== ""));
}

/** Returns the server's origin, or undefined if the address is not a web address. */
function originOf(stored: string | undefined): string | undefined {
  const url = URL.parse(stored?.trim() || usualServer);
  return url && /^https?:$/.test(url.protocol) ? url.origin : undefined;
}

/** Returns the path of the event. Authors may enter the full URL instead of the path. */
function pathOf(link: string, origin: string): string {
  const whole = URL.parse(link.trim(), `${origin}/`);
  return whole ? whole.pathname.replace(/^\/+/, "") : "";
}

/** Returns whether the code comes from a server that does not belong to Cal.com. */
function isForeign(stored: FlowBlock): boolean {
  return !ownOrigins.includes(originOf(textAt(stored, "options", "baseUrl")) ?? usualServer);
}

export const calCom = defineActions({
  type: "cal-com",
  summary: "Shows a Cal.com calendar, and waits until the visitor has booked an event.",
  actions: [bookEvent],
  takesTimeout: true,
  runsOnClient: isForeign,
  ways: (stored) => ({ waits: textAt(stored, "options", "action") === bookEvent.name, ways: [{ kind: "on" }] }),
  editor: {
    name: "Cal.com",
    icon: "calendar-check",
    words: ["booking", "meeting", "appointment", "calendar", "schedule"],
    row: ["{options.link}", "{options.action}"],
    related: [],
  },
  examples: examples["cal-com"],
});
