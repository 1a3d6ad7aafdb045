/** The visitor's details. Each value is JavaScript code. */
export type ChatwootUser = {
  readonly id?: string;
  readonly email?: string;
  readonly name?: string;
  readonly avatarUrl?: string;
  readonly phoneNumber?: string;
};

/**
 * Returns a script that loads the widget if needed, and opens the widget. The visitor's details are set if the visitor
 * has an id or an e-mail address.
 */
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

export const closeWidgetScript = `if (window.$chatwoot) {
  window.$chatwoot.toggle("close");
  window.$chatwoot.toggleBubbleVisibility("hide");
}`;

function detailsOf({ email, name, avatarUrl, phoneNumber }: ChatwootUser): string {
  const details = Object.entries({ email, name, avatar_url: avatarUrl, phone_number: phoneNumber });
  return details.flatMap(([key, code]) => (code?.trim() ? `      ${key}: ${expression(code)},` : [])).join("\n");
}

/** Puts the author's code on separate lines so that a comment at its end cannot comment out the code that follows. */
function expression(code: string | undefined): string {
  return code?.trim() ? `(\n${code}\n)` : "undefined";
}

/**
 * Returns a string literal that is safe inside HTML. Braces are escaped so that they cannot form variable references.
 */
function literal(text: string): string {
  return JSON.stringify(text).replaceAll(
    /[<>{}\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
