import { join } from "node:path";
import type { Page } from "playwright-core";
import { getFlowSchemas, listBlockTypes } from "../../../src/management/block-types/block-types.ts";
import type { FieldSchema } from "../../../src/web/app/forms/schema.ts";
import type { FormsPage, SetCall } from "./forms-page.tsx";

declare global {
  interface Window {
    readonly forms: FormsPage;
  }
}

export const types = new Map(listBlockTypes().map((one) => [one.type, one]));
export const schemas = getFlowSchemas();
export const all = [...types.values(), ...Object.entries(schemas).map(([type, schema]) => ({ type, schema }))];
/** The form layouts of all block types with a layout. */
export const layouts = Object.fromEntries(
  [...types.values()]
    .map(({ type, editor: { form = [] } }) => [type, form] as const)
    .filter(([, form]) => form.length > 0),
);
const bundled = bundle();

/** Block types whose options equal those of other types, with the same texts. */
export const twins = new Set([
  "Zapier",
  "Make.com",
  "Pabbly",
  "mistral",
  "groq",
  "deepseek",
  "perplexity",
  "open-router",
  "together-ai",
]);

/** Returns false for a failed request to another machine, because tests cannot load its pictures and videos. */
export const isOurs = (problem: string) => !problem.includes("ERR_INTERNET_DISCONNECTED");

/** Opens the page of forms with the content security policy of the builder's pages. */
export async function openForms(page: Page): Promise<void> {
  const { script, style } = await bundled;
  const html = `<!doctype html><html lang="en"><title>Forms</title><link rel="stylesheet" href="/forms.css"><body><header><h1>Forms</h1></header><script type="module" src="/forms.js"></script>`;
  await page.route("http://localhost:1/*", (route) => {
    const { pathname } = new URL(route.request().url());
    if (pathname === "/forms.js") return route.fulfill({ contentType: "text/javascript", body: script });
    if (pathname === "/forms.css") return route.fulfill({ contentType: "text/css", body: style });
    return route.fulfill({
      contentType: "text/html",
      headers: {
        "Content-Security-Policy":
          "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' https: data: blob:; require-trusted-types-for 'script'",
      },
      body: pathname === "/favicon.ico" ? "" : html,
    });
  });
  await page.goto("http://localhost:1/");
  await page.waitForFunction(() => "forms" in window);
  await page.evaluate((all) => window.forms.lay(all), layouts);
}

export async function show(page: Page, type: string, value: object): Promise<void> {
  const schema = types.get(type)?.schema ?? {};
  await page.evaluate((form) => window.forms.show(form), { name: type, schema, value: { id: "x", type, ...value } });
}

/** Shows another value of the same object, as after another author's change. */
export async function swap(page: Page, type: string, value: object): Promise<void> {
  const schema = types.get(type)?.schema ?? {};
  await page.evaluate((form) => window.forms.swap(form), { name: type, schema, value: { id: "x", type, ...value } });
}

export function sets(page: Page): Promise<readonly SetCall[]> {
  return page.evaluate(() => window.forms.sets());
}

/** Returns a value with every field of a schema, and an unknown key. */
export function full(schema: FieldSchema): unknown {
  if (schema.const !== undefined) return schema.const;
  const [first] = schema.anyOf ?? [];
  if (first) return full(schema.anyOf?.find(({ properties }) => properties) ?? first);
  switch (schema.type) {
    case "object":
      return {
        ...Object.fromEntries(Object.entries(schema.properties ?? {}).map(([key, field]) => [key, full(field)])),
        unknownKey: [1, { a: null }],
      };
    case "array":
      return schema.widget === "richText"
        ? [{ type: "p", children: [{ text: "Hi" }] }]
        : [full(schema.items ?? {}), full(schema.items ?? {})];
    case "boolean":
      return true;
    case "number":
    case "integer":
      return 3;
    case "string":
      return schema.examples?.[0] ?? "some {{Name}}";
    default:
      return { some: "value" };
  }
}

async function bundle(): Promise<{ readonly script: string; readonly style: string }> {
  const build = await Bun.build({
    entrypoints: [join(import.meta.dir, "forms-page.tsx")],
    target: "browser",
    format: "esm",
    define: { "process.env.NODE_ENV": '"production"' },
  });
  const texts = await Promise.all(
    build.outputs.map(async (one) => [one.path.endsWith(".css"), await one.text()] as const),
  );
  const all = (isStyle: boolean) => texts.flatMap(([isCss, text]) => (isCss === isStyle ? [text] : [])).join("\n");
  return { script: all(false), style: all(true) };
}
