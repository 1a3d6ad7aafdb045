import { adoptStyle } from "../../components/adopt-style.ts";
import type { Words } from "../../conversation/words.ts";
import { drawing, make } from "../elements.ts";
import css from "./picture-dialog.css" with { type: "text" };

type Options = {
  /** The parent of the dialog: the chat, whose theme applies to the dialog. */
  readonly container: HTMLElement;
  readonly words: Words;
  /**
   * Whether the browser's back button closes the dialog. On a page of another site, the history must not be changed.
   */
  readonly keepsHistory: boolean;
};

/**
 * Shows a picture of the chat in the size of the window, with its caption. The visitor can move between the pictures of
 * the same answer.
 */
export function showPicture(opener: HTMLElement, { container, words, keepsHistory }: Options): void {
  const pictures = picturesBeside(opener);
  let index = Math.max(0, pictures.indexOf(opener));
  const dialog = make("dialog", "picture-dialog");
  const figure = make("figure", "picture-frame");
  const image = make("img", "picture-large");
  const caption = make("figcaption", "picture-caption");
  caption.dir = "auto";
  caption.setAttribute("aria-live", "polite");
  figure.append(image, caption);
  const show = (next: number): void => {
    index = (next + pictures.length) % pictures.length;
    const small = pictures[index]?.querySelector("img");
    image.src = small?.currentSrc || small?.src || "";
    image.alt = small?.alt ?? "";
    // For a picture without a description, the default text would be useless as a caption.
    caption.textContent = image.alt === words.picture ? "" : image.alt;
    dialog.setAttribute("aria-label", image.alt || words.picture);
  };
  const close = button("picture-close", words.close, "m6 6 12 12M18 6 6 18", () => dialog.close());
  dialog.append(close, figure);
  if (pictures.length > 1) {
    const previous = button("picture-step is-previous", words.previous, "m15 5-7 7 7 7", () => show(index - 1));
    const next = button("picture-step is-next", words.next, "m9 5 7 7-7 7", () => show(index + 1));
    dialog.append(previous, next);
  }
  show(index);

  dialog.addEventListener("click", ({ target }) => {
    if (target === dialog || target === figure) dialog.close();
  });
  dialog.addEventListener("keydown", (event) => {
    keepFocus(dialog, event);
    const isRightToLeft = getComputedStyle(dialog).direction === "rtl";
    if (event.key === (isRightToLeft ? "ArrowRight" : "ArrowLeft")) show(index - 1);
    if (event.key === (isRightToLeft ? "ArrowLeft" : "ArrowRight")) show(index + 1);
  });
  // Prevents the page behind the dialog from scrolling.
  dialog.addEventListener("wheel", (event) => event.ctrlKey || event.preventDefault(), { passive: false });
  const leaveHistory = keepsHistory ? enterHistory(() => dialog.close()) : () => {};
  dialog.addEventListener("close", () => {
    leaveHistory();
    dialog.remove();
  });

  container.append(dialog);
  adoptStyle(dialog, css);
  dialog.showModal();
}

/** Returns the pictures of the answer to which `opener` belongs, in order. */
function picturesBeside(opener: HTMLElement): readonly HTMLElement[] {
  const beside = opener.closest(".answer-pictures")?.querySelectorAll<HTMLElement>("[data-picture]");
  return beside ? [...beside] : [opener];
}

/**
 * Whether the browser is leaving the history entry of a closed dialog. An entry that is created in the meantime would
 * be left immediately.
 */
let isGoingBack = false;

/**
 * Creates a history entry for the dialog, so that the back button closes the dialog and the chat stays open. Returns a
 * function that leaves the entry.
 */
function enterHistory(close: () => void): () => void {
  let isThere = false;
  const leave = (): void => {
    isThere = false;
    close();
  };
  const enter = (): void => {
    isThere = true;
    // The entry contains the stored chat, like the previous entry.
    history.pushState(history.state, "");
    addEventListener("popstate", leave, { once: true });
  };
  if (isGoingBack) addEventListener("popstate", enter, { once: true });
  else enter();
  return () => {
    removeEventListener("popstate", enter);
    removeEventListener("popstate", leave);
    if (!isThere) return;
    isGoingBack = true;
    addEventListener("popstate", () => (isGoingBack = false), { once: true });
    history.back();
  };
}

/** Moves the focus only between the dialog's buttons, so that Tab does not reach the browser's own controls. */
function keepFocus(dialog: HTMLDialogElement, event: KeyboardEvent): void {
  if (event.key !== "Tab") return;
  event.preventDefault();
  const buttons = [...dialog.querySelectorAll("button")];
  const active = buttons.findIndex((one) => one.matches(":focus"));
  buttons.at((active + (event.shiftKey ? -1 : 1) + buttons.length) % buttons.length)?.focus();
}

function button(className: string, name: string, path: string, press: () => void): HTMLButtonElement {
  const element = make("button", `picture-button ${className}`);
  element.type = "button";
  element.setAttribute("aria-label", name);
  element.append(drawing(path));
  element.addEventListener("click", press);
  return element;
}
