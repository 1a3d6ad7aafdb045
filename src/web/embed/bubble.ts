import { make } from "../browser/elements.ts";
import type { Frame, FrameContext } from "./frame.ts";
import { activeWithin, crossPath, lineDrawing, makeButton, pictureOf, setProperty } from "./parts.ts";

/** A round button in the corner of the window, and the chat in a panel above the button. */
export function bubbleFrame({ host, shell, close, toggle, open, dismissPreview }: FrameContext): Frame {
  const corner = make("div", "corner");
  const button = makeButton("bubble", "button", toggle);
  const icon = make("span", "icon");
  const cross = lineDrawing(crossPath);
  cross.classList.add("cross");
  const badge = make("span", "badge");
  badge.part.add("badge");
  badge.hidden = true;
  button.append(icon, cross, badge);
  let [name, unread, isUnpainted] = ["", 0, true];
  const describe = (): void => {
    badge.hidden = unread === 0;
    badge.textContent = unread > 9 ? "9+" : String(unread);
    button.setAttribute("aria-label", unread === 0 ? name : `${name} (${unread})`);
  };
  button.setAttribute("aria-expanded", "false");
  button.setAttribute("aria-controls", "window");

  const panel = make("div", "window");
  panel.id = "window";
  panel.part.add("window");
  panel.tabIndex = -1;
  panel.hidden = true;
  panel.setAttribute("role", "dialog");
  const closer = makeButton("close", "close-button", close);
  const place = make("div", "place");
  panel.append(closer, place);
  // The listener is on the document, because no element has the focus while the bot writes its answer: the field that
  // had the focus has been removed.
  const closeByKey = (event: KeyboardEvent): void => {
    const { activeElement } = document;
    const isElsewhere = activeElement !== null && activeElement !== document.body && activeElement !== host;
    if (event.key !== "Escape" || event.defaultPrevented || isElsewhere) return;
    event.preventDefault();
    close();
  };

  const preview = make("div", "preview");
  preview.hidden = true;
  const previewOpen = makeButton("preview-open", "preview-message", open);
  const previewText = make("span", "preview-text");
  previewText.dir = "auto";
  const dismiss = makeButton("preview-close", "preview-message-close-button", dismissPreview);
  dismiss.append(lineDrawing(crossPath));
  closer.append(lineDrawing(crossPath));
  // The elements are in tab order: the button, its message, its panel.
  corner.append(button, preview, panel);
  preview.append(previewOpen, dismiss);
  shell.append(corner);

  return {
    place,
    refresh(words) {
      const read = (name: string): string | undefined => host.getAttribute(name) ?? undefined;
      corner.dataset["side"] = read("placement") === "left" ? "left" : "right";
      corner.dataset["size"] = read("button-size") === "large" ? "large" : "medium";
      setProperty(button, "--color", read("button-color"));
      setProperty(button, "--ink", read("icon-color"));
      // The button is shown when its color is known, so that the color does not visibly change.
      button.classList.toggle("is-unpainted", isUnpainted && !host.hasAttribute("button-color"));
      button.hidden = host.hasAttribute("button-hidden");
      icon.replaceChildren(iconOf(read("icon")));
      name = read("label") ?? words.chat;
      describe();
      panel.setAttribute("aria-label", name);
      closer.setAttribute("aria-label", read("close-label") ?? words.close);
      dismiss.setAttribute("aria-label", read("dismiss-label") ?? words.dismiss);
      const avatar = read("preview-avatar");
      previewOpen.replaceChildren(...(avatar === undefined ? [] : [pictureOf(avatar)]), previewText);
    },
    setOpen(isOpen, isAsked) {
      const hadFocus = panel.contains(activeWithin(panel));
      panel.hidden = !isOpen;
      if (isOpen) document.addEventListener("keydown", closeByKey);
      else document.removeEventListener("keydown", closeByKey);
      if (isOpen) unread = 0;
      describe();
      button.setAttribute("aria-expanded", String(isOpen));
      if (isOpen && isAsked) panel.focus({ preventScroll: true });
      if (!isOpen && hadFocus) button.focus({ preventScroll: true });
    },
    setAccent(accent) {
      isUnpainted = false;
      button.classList.remove("is-unpainted");
      if (accent) setProperty(corner, "--color", accent.color);
      if (accent) setProperty(corner, "--ink", accent.ink);
    },
    countUnread() {
      unread += 1;
      describe();
    },
    setPreview(text) {
      preview.hidden = text === undefined;
      previewText.textContent = text ?? "";
    },
  };
}

/** Returns the page's own picture or emoji, or the default icon. */
function iconOf(icon: string | undefined): Element {
  if (icon === undefined || icon.trim() === "") return lineDrawing(speechPath);
  if (/[/:.]/.test(icon)) return pictureOf(icon);
  const emoji = make("span", "emoji");
  emoji.textContent = icon;
  return emoji;
}

const speechPath = "M21 11.5a8.4 8.4 0 0 1-12.2 7.5L3.5 20.5l1.6-4.9A8.4 8.4 0 1 1 21 11.5Z";
