import type { Act, CellPlan } from "./cell.ts";
import { findProblems } from "./problems.ts";
import { stubService } from "./stub-service.ts";

/**
 * Runs in the page of a cell before the page's own script. It responds instead of the service and performs the
 * visitor's actions until the page is in the cell's state. Afterwards, the root element has `data-gallery`: `done`, or
 * the reason why the state was not reached.
 */
const plan: CellPlan = JSON.parse(document.getElementById("gallery-plan")?.textContent ?? "");
const realTimeout = window.setTimeout.bind(window);

/** Timers run 25 times as fast, so that delayed elements appear soon. */
Object.assign(window, {
  setTimeout: (run: () => void, ms = 0, ...rest: unknown[]) => realTimeout(run, ms / 25, ...rest),
});
if (plan.service === "offline") Object.defineProperty(navigator, "onLine", { get: () => false });
/** A microphone that records silence. */
const microphone = { getUserMedia: async () => new AudioContext().createMediaStreamDestination().stream };
Object.defineProperty(navigator, "mediaDevices", { value: microphone });
Object.assign(window, { galleryProblems: findProblems });
if (plan.remembered) {
  const { sessionId, resultId } = plan.start;
  sessionStorage.setItem(`parley-chat-${sessionId}`, JSON.stringify({ sessionId, resultId }));
}
const service = stubService(plan);

addEventListener("DOMContentLoaded", () => {
  reachState().then(
    () => finish("done"),
    (error: unknown) => finish(String(error)),
  );
});

async function reachState(): Promise<void> {
  await until("body.is-live");
  await service.started;
  await settled();
  const { state } = plan;
  if (plan.remembered) await until(".chat-ending");
  else if (state === "focus") forceFocus(await until(firstStop));
  else if (state === "skipped") (await until("[name=skip]")).click();
  else if (state !== "idle") {
    await until(".typebot-input-form");
    for (const act of plan.acts) await perform(act);
    await settled();
    if (state !== "filled" && !plan.actsSend) (await until("form [type=submit]:not([name=skip])")).click();
  }
  const sign = signs[state];
  if (sign !== undefined && !plan.remembered) await until(sign);
  await settled();
  // Lazily loaded pictures may never be displayed, so they are not awaited.
  const images = [...document.images].filter(({ loading }) => loading !== "lazy");
  await Promise.all(images.map((image) => image.decode().catch(() => {})));
  scrollTo(0, 0);
}

/** Selectors that match once a state has been reached. */
const signs: Partial<Record<CellPlan["state"], string>> = {
  refused: "[role=alert]",
  busy: ".is-typing, form progress",
  offline: ".chat-notice",
  answered: ".typebot-chat-chunk.is-answer ~ .is-bubble",
  skipped: "body:not(:has(form)) .is-bubble",
  ended: plan.service === "answers" ? ".chat-ending" : ".chat-notice",
};

const firstStop = [
  "[data-focus]",
  "form input:not([type=hidden], [tabindex='-1'])",
  "form textarea",
  "form select",
  "form button",
].join();

async function perform(act: Act): Promise<void> {
  if ("press" in act) {
    (await until(act.press)).click();
    return;
  }
  const field = await until(act.into);
  if ("choose" in act) {
    const transfer = new DataTransfer();
    for (const file of await Promise.all(act.choose.map(makeFile))) transfer.items.add(file);
    if (field instanceof HTMLInputElement) field.files = transfer.files;
    field.dispatchEvent(new Event("change", { bubbles: true }));
  } else if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) {
    field.value = act.type;
    field.dispatchEvent(new Event("input", { bubbles: true }));
    field.dispatchEvent(new Event("change", { bubbles: true }));
  }
  await settled();
}

async function makeFile(name: string): Promise<File> {
  if (!name.endsWith(".png")) return new File(["Some notes\n".repeat(400)], name, { type: "text/plain" });
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [160, 120];
  const pen = canvas.getContext("2d");
  const colors = pen?.createLinearGradient(0, 0, 160, 120);
  colors?.addColorStop(0, name.startsWith("sea") ? "#1d4e68" : "#4d7c0f");
  colors?.addColorStop(1, name.startsWith("sea") ? "#a5c9e1" : "#fde68a");
  if (pen && colors) pen.fillStyle = colors;
  pen?.fillRect(0, 0, 160, 120);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve));
  return new File(blob ? [blob] : [], name, { type: "image/png" });
}

/**
 * Makes an element look focused. Only one element of all cells can have the real focus, so an attribute replaces the
 * focus in the style sheets.
 */
function forceFocus(element: HTMLElement): void {
  element.dataset["galleryFocus"] = "";
  const forced = (css: string): string =>
    css
      .replaceAll(/:focus(-visible)?(?![\w-])/g, "[data-gallery-focus]")
      .replaceAll(":focus-within", ":is([data-gallery-focus], :has([data-gallery-focus]))");
  for (const style of document.querySelectorAll("style")) style.textContent = forced(style.textContent);
  for (const sheet of document.adoptedStyleSheets) {
    sheet.replaceSync(forced([...sheet.cssRules].map((rule) => rule.cssText).join("\n")));
  }
}

/** Waits for the first visible element that matches. A label represents the hidden control that it contains. */
async function until(selector: string): Promise<HTMLElement> {
  for (let waited = 0; waited < patienceMs; waited += pollMs) {
    for (const found of document.querySelectorAll<HTMLElement>(selector)) {
      if (found.checkVisibility() || found.closest("label")?.checkVisibility()) return found;
    }
    await new Promise((resolve) => realTimeout(resolve, pollMs));
  }
  throw new Error(`There is no ${selector}`);
}

const patienceMs = 15_000;
const pollMs = 10;

/** Resolves when the change and its consequences are painted. */
async function settled(): Promise<void> {
  for (let frames = 0; frames < 3; frames++) await new Promise((resolve) => requestAnimationFrame(resolve));
}

function finish(outcome: string): void {
  document.documentElement.dataset["gallery"] = outcome;
}
