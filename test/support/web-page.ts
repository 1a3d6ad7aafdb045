import type { TestApi } from "./api.ts";

export type SeenPage = {
  readonly status: number;
  readonly headers: Headers;
  readonly html: string;
  /** The bubbles of the bot and the visitor, in order: `bot: …`, `visitor: …`. */
  readonly said: readonly string[];
  /** The texts of the page outside of the conversation: notes, notices and errors. */
  readonly remarks: readonly string[];
  readonly form: SeenForm | undefined;
  /** All forms of the page: the form for the answer, and those for other actions. */
  readonly forms: readonly SeenForm[];
};

export type SeenForm = {
  readonly action: string;
  readonly hidden: Readonly<Record<string, string>>;
  readonly fields: readonly { readonly name: string; readonly type: string; readonly value: string }[];
  /** The labels of the buttons, and the value that each button sends. */
  readonly buttons: readonly { readonly label: string; readonly name: string; readonly value: string }[];
};

/** The entered or selected values by field name. */
export type Filled = Readonly<Record<string, string | File | (string | File)[]>>;

/** Creates a browser without scripts. It requests pages, stores their cookies, fills in forms and submits them. */
export function visitor(api: Pick<TestApi, "handle">, options: { host?: string; languages?: string } = {}) {
  const base = `http://${options.host ?? "localhost"}`;
  const cookies = new Map<string, string>();
  const send = async (path: string, init: RequestInit): Promise<SeenPage> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const languages = options.languages !== undefined && { "accept-language": options.languages };
    const headers = { accept: "text/html", host: new URL(base).host, ...languages, ...(cookie !== "" && { cookie }) };
    // Browsers do not send the fragment.
    const [address = ""] = path.split("#");
    const response = await api.handle(new Request(base + address, { ...init, headers }));
    for (const line of response.headers.getSetCookie()) keep(cookies, line);
    return see(response);
  };
  return {
    visit: (path: string) => send(path, {}),
    /**
     * Submits a page's form. `values` are the entered or selected values, `button` is the label of the pressed button.
     */
    post(page: SeenPage, values: Filled = {}, button?: string): Promise<SeenPage> {
      const form = page.forms.find(({ buttons }) => buttons.some(({ label }) => label === button)) ?? page.form;
      if (!form) throw new Error(`The page has no form: ${page.html}`);
      const isMultipart = Object.values(values)
        .flat()
        .some((value) => value instanceof File);
      const body = isMultipart ? new FormData() : new URLSearchParams();
      for (const [name, value] of Object.entries({ ...form.hidden, ...values })) {
        for (const one of [value].flat()) append(body, name, one);
      }
      const pressed = form.buttons.find(({ label }) => label === button);
      if (button !== undefined && !pressed) throw new Error(`The form has no button "${button}"`);
      if (pressed && pressed.name !== "") body.append(pressed.name, pressed.value);
      return send(form.action, { method: "POST", body });
    },
  };
}

function append(body: FormData | URLSearchParams, name: string, value: string | File): void {
  if (body instanceof FormData && value instanceof File) body.append(name, value, value.name);
  else body.append(name, String(value));
}

function keep(cookies: Map<string, string>, line: string): void {
  const [pair = ""] = line.split(";");
  const [name = "", value = ""] = pair.split("=");
  if (/max-age=0/i.test(line)) cookies.delete(name);
  else cookies.set(name, value);
}

type Collected = {
  said: string[];
  remarks: string[];
  forms: {
    isAnswer: boolean;
    action: string;
    hidden: Record<string, string>;
    fields: SeenForm["fields"][number][];
    buttons: { label: string; name: string; value: string }[];
  }[];
};

async function see(response: Response): Promise<SeenPage> {
  const html = await response.text();
  const seen: Collected = { said: [], remarks: [], forms: [] };
  const rewriter = new HTMLRewriter()
    .on(".typebot-host-bubble", opens(seen.said, "bot: "))
    .on(".typebot-guest-bubble", opens(seen.said, "visitor: "))
    .on(".chat-note, .chat-notice p, .typebot-input-error-message, .no-chat h1", opens(seen.remarks, ""))
    .on("form", {
      element(element) {
        const isAnswer = (element.getAttribute("class") ?? "").includes("typebot-input-form");
        const action = element.getAttribute("action") ?? "";
        seen.forms.push({ isAnswer, action, hidden: {}, fields: [], buttons: [] });
      },
    })
    .on("form input, form textarea", {
      element(element) {
        const field = (name: string) => decoded(element.getAttribute(name) ?? "");
        const form = seen.forms.at(-1);
        if (field("type") === "hidden" && form) form.hidden[field("name")] = field("value");
        else form?.fields.push({ name: field("name"), type: field("type"), value: field("value") });
      },
    })
    .on("form button", {
      element(element) {
        seen.forms.at(-1)?.buttons.push({
          label: "",
          name: element.getAttribute("name") ?? "",
          value: element.getAttribute("value") ?? "",
        });
      },
      text({ text }) {
        const last = seen.forms.at(-1)?.buttons.at(-1);
        if (last) last.label += text;
      },
    });
  // The rewriter treats the contents of scripts as text, so scripts are removed first.
  const seenHtml = html.replace(/<script[^>]*>[\s\S]*?<\/script>/g, "").replace(/<\/?noscript>/g, "");
  await rewriter.transform(new Response(seenHtml)).text();
  const { status, headers } = response;
  const { said, remarks, forms } = seen;
  return { status, headers, html, said, remarks, form: forms.findLast(({ isAnswer }) => isAnswer), forms };
}

/** Starts a new text for each matching element, and collects its content. */
function opens(list: string[], prefix: string): HTMLRewriterTypes.HTMLRewriterElementContentHandlers {
  return {
    element() {
      list.push(prefix);
    },
    text({ text }) {
      const last = list.length - 1;
      list[last] = (list[last] ?? "") + decoded(text);
    },
  };
}

function decoded(html: string): string {
  return html.replaceAll("&quot;", '"').replaceAll("&#39;", "'").replaceAll("&lt;", "<").replaceAll("&amp;", "&");
}
