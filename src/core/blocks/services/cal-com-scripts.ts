/**
 * Runs Cal.com's own script in a frame of the visitor's page, so that its names and styles stay there. Values are
 * arguments, never code. A page without an origin, such as a preview, cannot reach into its frame, and a server may be
 * away: then the element stays empty, so that the page shows the link, and the chat goes on.
 */
export const fillBooking = `if (self.origin === "null") return continueFlow();
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

/** Answers with the date of the first booking. Newer servers tell it by another event, some by both. */
export const hearBooking = `const Cal = typebotElement.querySelector("iframe")?.contentWindow?.Cal;
let isBooked = false;
const book = (date) => {
  if (isBooked) return;
  isBooked = true;
  continueFlow(date);
};
Cal?.("on", { action: "bookingSuccessful", callback: ({ detail }) => book(detail.data.date) });
Cal?.("on", { action: "bookingSuccessfulV2", callback: ({ detail }) => book(detail.data.startTime) });`;
