import type { MessageBody } from "../../../src/chat/steps/replies.ts";

export type Page = { readonly request: string; readonly status: number; readonly body: string };

const mostForms = 6;

/**
 * Returns the pages that a browser without scripts receives: at the start, and after each form was filled in and
 * posted.
 */
export async function postForms(url: string, replies: readonly (MessageBody | undefined)[]): Promise<Page[]> {
  const pages: Page[] = [];
  let response = await fetch(url);
  let cookie = "";
  for (let turn = 0; ; turn++) {
    const body = await response.text();
    pages.push({ request: turn === 0 ? "page" : `form ${turn}`, status: response.status, body });
    cookie = response.headers.get("set-cookie")?.split(";")[0] ?? cookie;
    const form = firstForm(body);
    if (!form || turn === Math.min(replies.length, mostForms)) return pages;
    response = await fetch(new URL(form.action, url), {
      method: "POST",
      headers: { Cookie: cookie, Origin: new URL(url).origin },
      body: filledIn(form, replies[turn]),
    });
  }
}

type Field = { readonly kind: string; readonly name: string; readonly value: string };
type Form = { readonly action: string; readonly fields: readonly Field[] };

function firstForm(html: string): Form | undefined {
  let action: string | undefined;
  let forms = 0;
  const fields: Field[] = [];
  new HTMLRewriter()
    .on("form", {
      element(form) {
        forms++;
        action ??= form.getAttribute("action") ?? "";
      },
    })
    .on("form input, form textarea, form button, form option", {
      element(field) {
        const name = field.getAttribute("name");
        if (forms !== 1 || name === null) return;
        const kind = field.getAttribute("type") ?? field.tagName;
        fields.push({ kind, name, value: field.getAttribute("value") ?? "" });
      },
    })
    .transform(html);
  return action === undefined ? undefined : { action, fields };
}

/**
 * Fills in a form: hidden fields are unchanged, the first option of each choice is selected, and text fields contain
 * the reply.
 */
function filledIn({ fields }: Form, reply: MessageBody | undefined): FormData {
  const filled = new FormData();
  const typed = typeof reply === "string" ? reply : "Some words";
  for (const { kind, name, value } of fields) {
    if (kind === "hidden") filled.append(name, value);
    else if (["radio", "checkbox", "submit", "button"].includes(kind)) {
      if (!filled.has(name)) filled.append(name, value);
    } else if (kind !== "file") filled.append(name, typed);
  }
  return filled;
}
