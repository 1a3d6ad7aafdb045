import { answerChatCalls } from "./chat-calls.ts";
import { ownNonce, waitForGreeting } from "./greeting.ts";
import { openChannel } from "./transport.ts";

/**
 * A gray sample page with the content that an author would add to a page: the elements and the script of the snippet,
 * from this service.
 */
const place = document.getElementById("place");
if (place) {
  waitForGreeting((port) => {
    answerChatCalls(openChannel(port, (message) => message.kind === "embed" && putInto(place, message)));
  });
}

/**
 * Shows a snippet. If possible, the elements of the previous snippet stay in the page and only get the new attributes.
 */
function putInto(
  place: HTMLElement,
  { snippet, isOpen }: { readonly snippet: string; readonly isOpen: boolean },
): void {
  const { head, body } = new DOMParser().parseFromString(snippet, "text/html");
  const wanted = [...body.children].filter(({ localName }) => localName !== "script");
  const shown = [...place.children];
  const areFollowed = shown.length === wanted.length && wanted.every((one, index) => follow(shown[index], one));
  if (!areFollowed) place.replaceChildren(...wanted.map((one) => made(one, isOpen)));
  for (const { src } of [...head.querySelectorAll("script"), ...body.querySelectorAll("script")]) load(src);
}

/**
 * Copies the attributes and content of another element. Returns false if only a new element would have the same effect.
 */
function follow(element: Element | undefined, wanted: Element): boolean {
  if (element?.localName !== wanted.localName) return false;
  const names = [...new Set([...element.getAttributeNames(), ...wanted.getAttributeNames()])].filter(
    (name) => name !== "style" && name !== opened && element.getAttribute(name) !== wanted.getAttribute(name),
  );
  if (names.some((name) => atItsBeginning.includes(name))) return false;
  for (const name of names) {
    const value = wanted.getAttribute(name);
    if (value === null) element.removeAttribute(name);
    else element.setAttribute(name, value);
  }
  if (wanted.children.length === 0 && element.textContent !== wanted.textContent)
    element.textContent = wanted.textContent;
  dress(element, wanted);
  return true;
}

const opened = "default-open";
/** The attributes that an element reads only when it is added to a page. */
const atItsBeginning = ["prefilled-variables", "preview-message", "auto-show-delay", "open-on-scroll", "open-on-exit"];

function made(wanted: Element, isOpen: boolean): Element {
  const element = document.createElement(wanted.localName);
  for (const { name, value } of wanted.attributes) if (name !== "style") element.setAttribute(name, value);
  element.textContent = wanted.textContent;
  // A popup is not opened, because it would take the focus from an author who is editing its look.
  if (isOpen && wanted.localName === "parley-bubble") element.setAttribute(opened, "");
  dress(element, wanted);
  return element;
}

/** Copies the style of an element by script, because the policy forbids style attributes in markup. */
function dress(element: Element, wanted: Element): void {
  if (element instanceof HTMLElement) element.style.cssText = wanted.getAttribute("style") ?? "";
}

const loaded = new Set<string>();

function load(src: string): void {
  if (loaded.has(src)) return;
  loaded.add(src);
  const script = document.createElement("script");
  script.nonce = ownNonce();
  script.src = src;
  document.head.append(script);
}
