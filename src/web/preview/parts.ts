import { type PagePart, pageParts } from "../conversation/preview-protocol.ts";

/** The selector of each part of the page. */
const selectors: Readonly<Record<PagePart, string>> = {
  progress: ".typebot-progress-bar-container",
  header: ".chat-header",
  avatars: ".typebot-avatar-container, .avatar",
  buttons: ".typebot-button, .typebot-selectable, .typebot-picture-button, .typebot-selectable-picture",
  inputs: ".typebot-input, .typebot-input-form, .typebot-upload-input",
  hostBubbles: ".typebot-host-bubble",
  guestBubbles: ".typebot-guest-bubble",
  page: "*",
};

/** Reports which part of the page is pressed. The press keeps its usual effect. */
export function watchParts(onPress: (part: PagePart) => void): void {
  document.addEventListener("click", ({ target }) => {
    const part = target instanceof Element ? partOf(target) : undefined;
    if (part) onPress(part);
  });
}

/** Returns the part of the page to which an element belongs, if any. */
export function partOf(element: Element): PagePart | undefined {
  return pageParts.find((one) => element.closest(selectors[one]));
}
