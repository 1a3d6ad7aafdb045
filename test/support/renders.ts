import type { Page } from "playwright-core";

/** Renders of components since the last look: their number, and the elements of those outside all known places. */
export type Renders<Place extends string> = {
  readonly in: Readonly<Record<Place, number>>;
  readonly elsewhere: readonly string[];
};

/** Counts, from now on, how often components on the page are rendered: a new one is drawn by an existing one. */
export async function countRenders(page: Page): Promise<void> {
  await page.evaluate(() => {
    // Preact stores its tree at the element into which it draws: `__k` children, `__c` a component, `__v` its node,
    // `__e` its element on the page.
    const root = [...document.querySelectorAll("*")].find((element) => Object.hasOwn(element, "__k"));
    const rendered: unknown[] = [];
    Object.assign(window, { rendered });
    const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;
    let components = 0;
    const watch = (node: unknown): void => {
      if (!isObject(node)) return;
      const component: unknown = Reflect.get(node, "__c");
      const render: unknown = isObject(component) ? Reflect.get(component, "render") : undefined;
      if (isObject(component) && typeof render === "function") {
        components++;
        Reflect.set(component, "render", function (this: unknown, ...given: unknown[]) {
          rendered.push(component);
          return render.apply(this, given);
        });
      }
      const children: unknown = Reflect.get(node, "__k");
      if (Array.isArray(children)) children.forEach(watch);
    };
    if (root) watch(Reflect.get(root, "__k"));
    if (components < 50) throw new Error(`Only ${components} components were found on the page.`);
  });
}

/**
 * The components that were rendered since the last time, once two frames have passed without any. `places` are
 * selectors by their names.
 */
export async function rendersSince<Place extends string>(
  page: Page,
  places: Readonly<Record<Place, string>>,
): Promise<Renders<Place>> {
  const { counts, elsewhere } = await page.evaluate(async (selectors) => {
    const rendered: unknown = Reflect.get(window, "rendered");
    const list = Array.isArray(rendered) ? rendered : [];
    for (let [quiet, before] = [0, -1]; quiet < 2; quiet = list.length === before ? quiet + 1 : 0) {
      before = list.length;
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    }
    const elements = list.splice(0).flatMap((component): Element[] => {
      const element: unknown = component.__v?.__e;
      return element instanceof Element ? [element] : [];
    });
    const lieIn = (selector: string) => elements.filter((element) => element.closest(selector));
    const known = new Set(selectors.flatMap(lieIn));
    return {
      counts: selectors.map((selector) => lieIn(selector).length),
      elsewhere: elements.flatMap((element) => (known.has(element) ? [] : [element.outerHTML.slice(0, 120)])),
    };
  }, Object.values<string>(places));
  const named = Object.keys(places).map((name, index) => [name, counts[index]]);
  return { in: Object.fromEntries(named), elsewhere };
}
