import type { Page } from "playwright-core";

/**
 * The rendered components since the last call: their number by place, and the elements of components outside all
 * places.
 */
export type Renders<Place extends string> = {
  readonly in: Readonly<Record<Place, number>>;
  readonly elsewhere: readonly string[];
};

/**
 * Counts the renderings of the page's present components from now on. A new component is counted through the existing
 * component that renders it.
 */
export async function countRenders(page: Page): Promise<void> {
  await page.evaluate(() => {
    // Preact stores its tree in the properties of the root element: `__k` children, `__c` a component, `__v` its node,
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
 * Returns the components that were rendered since the last call, once two frames have passed without a rendering.
 * `places` maps names to selectors.
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
