export const embedKinds = ["page", "bubble", "popup", "frame", "api"] as const;
export type EmbedKind = (typeof embedKinds)[number];

/** The events on which a bubble or a popup opens by itself. */
export const openings = ["never", "delay", "scroll", "exit"] as const;
export type Opening = (typeof openings)[number];

/** The author's options for the snippet. */
export type EmbedOptions = {
  /** The height and width in pixels. */
  readonly height: string;
  readonly width: string;
  readonly placement: "right" | "left";
  readonly size: "medium" | "large";
  readonly buttonColor: string;
  readonly iconColor: string;
  readonly icon: string;
  readonly message: string;
  readonly opening: Opening;
  /** The delay in seconds for `delay`, or the scrolled share of the page in percent for `scroll`. */
  readonly after: string;
  /** The label of a button that opens the popup. */
  readonly opener: string;
};

export const plainOptions: EmbedOptions = {
  ...{ height: "", width: "", placement: "right", size: "medium", buttonColor: "", iconColor: "", icon: "" },
  ...{ message: "", opening: "never", after: "", opener: "" },
};

export type Embedding = {
  /** The URL of the service that serves chats. */
  readonly chatAddress: string;
  readonly publicId: string;
  /** The accessible name of the iframe. */
  readonly frameName: string;
  readonly options: EmbedOptions;
  /** The initial values of variables, by name. */
  readonly variables: Readonly<Record<string, string>>;
};

type Attributes = Readonly<Record<string, string | true | undefined>>;

/** Returns the code that embeds the bot in a website, or the shell commands that chat with the bot. */
export function snippetFor(kind: EmbedKind, embedding: Embedding): string {
  const { chatAddress, publicId, options, variables } = embedding;
  const script = `<script src="${escaped(chatAddress)}/embed.js" defer></script>`;
  const known = Object.keys(variables).length > 0 ? JSON.stringify(variables) : undefined;
  const shared: Attributes = { bot: publicId, "prefilled-variables": known };
  switch (kind) {
    case "page": {
      const style = `display: block; height: ${pixels(options.height) ?? 640}px`;
      return `${script}\n${element("parley-chat", { ...shared, style })}`;
    }
    case "bubble":
      return `${script}\n${element("parley-bubble", { ...shared, ...opening(options), ...ofBubble(options) })}`;
    case "popup": {
      const width = pixels(options.width);
      const popup = element("parley-popup", {
        ...{ ...shared, ...opening(options) },
        width: width === undefined ? undefined : `${width}px`,
      });
      const button = options.opener === "" ? "" : `\n<button data-parley-open>${escaped(options.opener)}</button>`;
      return `${script}\n${popup}${button}`;
    }
    case "frame":
      return element("iframe", {
        src: addressOf(embedding),
        title: embedding.frameName,
        loading: "lazy",
        allow: "microphone; camera; clipboard-write",
        style: `width: 100%; height: ${pixels(options.height) ?? 640}px; border: 0`,
      });
    case "api":
      return curl(embedding);
    default:
      return kind satisfies never;
  }
}

/** Returns the URL of the bot's own page, with the initial values of variables. */
export function addressOf({
  chatAddress,
  publicId,
  variables,
}: Pick<Embedding, "chatAddress" | "publicId" | "variables">): string {
  const query = new URLSearchParams(variables).toString();
  return `${chatAddress}/${publicId}${query === "" ? "" : `?${query}`}`;
}

function ofBubble({ placement, size, buttonColor, iconColor, icon, message }: EmbedOptions): Attributes {
  return {
    placement: placement === "left" ? placement : undefined,
    "button-size": size === "large" ? size : undefined,
    "button-color": buttonColor || undefined,
    "icon-color": iconColor || undefined,
    icon: icon || undefined,
    "preview-message": message || undefined,
  };
}

function opening({ opening: how, after }: EmbedOptions): Attributes {
  const number = Number(after);
  const said = after !== "" && number >= 0 ? number : undefined;
  switch (how) {
    case "never":
      return {};
    case "delay":
      return { "auto-show-delay": String(Math.round((said ?? 5) * 1_000)) };
    case "scroll":
      return { "open-on-scroll": String(said ?? 50) };
    case "exit":
      return { "open-on-exit": true };
  }
}

function curl({ chatAddress, publicId, variables }: Embedding): string {
  const start = Object.keys(variables).length > 0 ? { prefilledVariables: variables } : {};
  const post = (path: string, body: object) =>
    `curl '${chatAddress}/api/v1${path}' \\\n  -H 'Content-Type: application/json' \\\n  -d '${inShell(JSON.stringify(body))}'`;
  return [
    post(`/bots/${publicId}/startChat`, start),
    post("/sessions/<sessionId>/continueChat", { message: "Hello" }),
  ].join("\n\n");
}

/** Escapes a text for single quotes, within which a shell treats every character literally except the single quote. */
function inShell(text: string): string {
  return text.replaceAll("'", String.raw`'\''`);
}

function pixels(text: string): number | undefined {
  const number = Number(text);
  return text !== "" && Number.isFinite(number) && number > 0 ? Math.round(number) : undefined;
}

/** Returns an HTML element. Long attributes are written on separate lines. */
function element(name: string, attributes: Attributes): string {
  const written = Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [value === true ? key : `${key}="${escaped(value)}"`],
  );
  const isLong = written.join(" ").length > 80;
  const separator = isLong ? "\n  " : " ";
  return `<${name}${written.map((one) => separator + one).join("")}></${name}>`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}
