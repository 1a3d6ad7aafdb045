import type { Page } from "playwright-core";

/**
 * Returns visible layout problems that axe does not detect: horizontal scrolling, targets below 24 pixels, an invisible
 * focus, and containers that move when an element inside them gets the focus. `within` limits the checks of targets and
 * of the focus to a part of the page.
 */
export async function layoutProblems(page: Page, within = "*"): Promise<readonly string[]> {
  const usual = await layoutProblemsOfPage(page, within);
  return [...usual, ...(await movablePlaces(page))];
}

/**
 * Returns a message for each frame and scaled element whose container hides its overflow, but can still be scrolled by
 * the focus, by a script, or by scrolling an element into view. `overflow: clip` fixes such a container. A container
 * with a scroll bar is accepted, unless it is the nearest container of a scaled element.
 */
export async function movablePlaces(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const nameOf = (element: Element) => `${element.tagName.toLowerCase()}.${element.className}`;
    const isScaled = (element: Element): boolean => {
      const { transform, scale, zoom } = getComputedStyle(element);
      const { a, b, c, d } = new DOMMatrix(transform === "none" ? "" : transform);
      const sizes = [Math.hypot(a, b), Math.hypot(c, d), ...(scale === "none" ? [] : scale.split(" ")), zoom || 1];
      return sizes.some((size) => Math.abs(Math.abs(Number(size)) - 1) > 0.001);
    };
    const moves = ({ scrollWidth, clientWidth, scrollHeight, clientHeight }: Element, style: CSSStyleDeclaration) =>
      (style.overflowX !== "clip" && scrollWidth > clientWidth) ||
      (style.overflowY !== "clip" && scrollHeight > clientHeight);
    const found = new Set<string>();
    for (const element of document.querySelectorAll("*")) {
      const isDrawnOtherwise = isScaled(element);
      if (!isDrawnOtherwise && !element.matches("iframe")) continue;
      let isNearest = true;
      for (let place = element.parentElement; place && place !== document.body; place = place.parentElement) {
        const style = getComputedStyle(place);
        if (style.overflowX === "visible" && style.overflowY === "visible") continue;
        const hides = [style.overflowX, style.overflowY].includes("hidden") || (isDrawnOtherwise && isNearest);
        if (hides && moves(place, style))
          found.add(`${nameOf(element)} moves in ${nameOf(place)} when something inside gets the focus`);
        isNearest = false;
      }
    }
    return [...found];
  });
}

async function layoutProblemsOfPage(page: Page, within: string): Promise<readonly string[]> {
  return page.evaluate((part) => {
    const found: string[] = [];
    const nameOf = (element: Element) =>
      `${element.tagName.toLowerCase()}.${element.className} “${(element.getAttribute("aria-label") ?? element.textContent ?? "").trim().slice(0, 40)}”`;
    const place = document.querySelector("dialog[open]") ?? document.body;
    const root = document.documentElement;
    if (root.scrollWidth > root.clientWidth)
      found.push(`the page scrolls to the side by ${root.scrollWidth - root.clientWidth}`);
    for (const element of place.querySelectorAll("main, form, .app-dialog-body, ul, header")) {
      const mayScroll = ["auto", "scroll", "hidden", "clip"].includes(getComputedStyle(element).overflowX);
      if (!mayScroll && element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 1) {
        found.push(`${nameOf(element)} is wider than its place by ${element.scrollWidth - element.clientWidth}`);
      }
      if (element.matches(".app-dialog-body") && element.scrollWidth > element.clientWidth) {
        found.push(`the dialog scrolls to the side by ${element.scrollWidth - element.clientWidth}`);
      }
    }
    const isSeen = (element: Element) =>
      element.checkVisibility({ visibilityProperty: true }) && !element.closest(".visually-hidden, .app-skip");
    const targets = [
      ...place.querySelectorAll<HTMLElement>(
        "button, a[href], input:not([type=file]), select, textarea, summary, [role=treeitem], [tabindex='0']",
      ),
    ].filter((element) => isSeen(element) && (part === "*" || element.closest(part)));
    for (const target of targets) {
      const world = target.closest(".canvas-world");
      // The contents of a zoomed canvas are measured at 100 %.
      const scale = world ? new DOMMatrix(getComputedStyle(world).transform).a : 1;
      const box = target.getBoundingClientRect();
      const [width, height] = [box.width / scale, box.height / scale];
      const isInText = target.matches("a") && getComputedStyle(target).display === "inline";
      if (!isInText && (width < 24 || height < 24)) found.push(`${nameOf(target)} is ${width} × ${height}`);
      if (target.matches("[tabindex='-1'], :disabled")) continue;
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
      target.focus({ focusVisible: true, preventScroll: true });
      if (document.activeElement !== target) continue;
      const looks = [target, target.nextElementSibling].flatMap((each) => (each ? [getComputedStyle(each)] : []));
      const isMarked = looks.some(
        (style) => style.outlineStyle !== "none" && Number.parseFloat(style.outlineWidth) >= 2,
      );
      const after = getComputedStyle(target, "::after");
      const isFramed = after.content !== "none" && Number.parseFloat(after.borderTopWidth) >= 2;
      // The active option shows the focus of an element with `aria-activedescendant`.
      if (!isMarked && !isFramed && !target.hasAttribute("aria-activedescendant"))
        found.push(`${nameOf(target)} has the focus, and nobody sees it`);
    }
    return [...new Set(found)];
  }, within);
}
