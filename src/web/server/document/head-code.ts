/** An element of an author's head code for search engines and link previews. */
export type HeadElement = { readonly name: "meta" | "link"; readonly attributes: Readonly<Record<string, string>> };

/**
 * Returns the `meta` and `link` elements of head code, which crawlers read only in the served page. Scripts and styles
 * are added later by the page's own script, so that broken code cannot break the page.
 */
export async function headElements(code: string | undefined): Promise<HeadElement[]> {
  if (!code) return [];
  const found: HeadElement[] = [];
  const take = (name: HeadElement["name"]) => ({
    element(element: HTMLRewriterTypes.Element) {
      const attributes = [...element.attributes].flatMap(([key, value]) =>
        key !== undefined && value !== undefined && /^[a-z][\w:-]*$/i.test(key) && !/^on/i.test(key)
          ? [[key, value] as const]
          : [],
      );
      found.push({ name, attributes: Object.fromEntries(attributes) });
    },
  });
  const rewriter = new HTMLRewriter().on("meta", take("meta")).on("link", take("link"));
  await rewriter.transform(new Response(code)).text();
  return found.filter(isHarmless);
}

/** Whether an element cannot override settings of the page. Excludes `http-equiv`, charset and style sheets. */
function isHarmless({ name, attributes }: HeadElement): boolean {
  if (name === "meta") return attributes["http-equiv"] === undefined && attributes["charset"] === undefined;
  return !/\bstylesheet\b/i.test(attributes["rel"] ?? "");
}
