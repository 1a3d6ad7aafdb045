/** Who the visitor is, as code: variables that it names are arguments of the script. */
export type ChatwootUser = {
  readonly id?: string;
  readonly email?: string;
  readonly name?: string;
  readonly avatarUrl?: string;
  readonly phoneNumber?: string;
};

/** What the visitor's client runs to show the widget: loads it where it is not there yet, tells who the visitor is, opens it. */
export function openWidgetScript(widget: { baseUrl: string; websiteToken: string }, user: ChatwootUser): string {
  return `const widget = { baseUrl: ${literal(widget.baseUrl)}, websiteToken: ${literal(widget.websiteToken)} };
const open = () => {
  const identifier = ${expression(user.id || user.email)};
  if (identifier !== undefined && identifier !== null) {
    window.$chatwoot.setUser(String(identifier), {
${detailsOf(user)}
    });
  }
  window.$chatwoot.toggle("open");
};
if (window.$chatwoot) {
  open();
} else {
  window.addEventListener("chatwoot:ready", open, { once: true });
  const script = document.createElement("script");
  script.src = widget.baseUrl + "/packs/js/sdk.js";
  script.async = true;
  script.onload = () => window.chatwootSDK.run(widget);
  document.head.appendChild(script);
}`;
}

/** What the visitor's client runs to put the widget away. */
export const closeWidgetScript = `if (window.$chatwoot) {
  window.$chatwoot.toggle("close");
  window.$chatwoot.toggleBubbleVisibility("hide");
}`;

/** What is known of the visitor, by the names that Chatwoot has for it. */
function detailsOf({ email, name, avatarUrl, phoneNumber }: ChatwootUser): string {
  const details = Object.entries({ email, name, avatar_url: avatarUrl, phone_number: phoneNumber });
  return details.flatMap(([key, code]) => (code?.trim() ? `      ${key}: ${expression(code)},` : [])).join("\n");
}

/** An author's code on lines of its own, so that a comment at its end does not comment out what follows. */
function expression(code: string | undefined): string {
  return code?.trim() ? `(\n${code}\n)` : "undefined";
}

/** A string literal, safe inside HTML; its braces are escaped, so that no variable is replaced in it. */
function literal(text: string): string {
  return JSON.stringify(text).replaceAll(
    /[<>{}\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
