import { make } from "../browser/elements.ts";
import type { Frame, FrameContext } from "./frame.ts";

/** The chat within the text of the page. */
export function inlineFrame({ host, shell }: FrameContext): Frame {
  const box = make("div", "inline");
  const place = make("div", "place");
  box.append(place);
  shell.append(box);
  box.setAttribute("role", "region");
  return {
    place,
    refresh: (words) => box.setAttribute("aria-label", host.getAttribute("label") ?? words.chat),
  };
}
