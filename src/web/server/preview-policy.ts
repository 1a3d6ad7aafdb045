import type { Config } from "../../config.ts";

/**
 * The policy of a preview: as that of a chat page, in a sandbox of its own origin, and framed by the builder alone. `host` is what the request
 * named: to a sandboxed document `'self'` may be nothing.
 */
export function previewPolicy(config: Config, { nonce, host }: { nonce: string; host: string }): string {
  const isSecure = (config.CHAT_URL ?? config.PUBLIC_URL)?.startsWith("https:") ?? false;
  const self = `'self' ${isSecure ? "https" : "http"}://${host}`;
  return [
    "sandbox allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox allow-modals allow-downloads",
    "default-src 'none'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'`,
    `style-src ${self} 'nonce-${nonce}' https:`,
    `img-src ${self} https: data: blob:`,
    `media-src ${self} https: data: blob:`,
    `font-src ${self} https: data:`,
    `frame-src ${self} https:${isSecure ? "" : " http:"}`,
    `connect-src ${self} https: wss:`,
    `worker-src ${self} blob:`,
    "form-action 'none'",
    "base-uri 'none'",
    "object-src 'none'",
    `frame-ancestors ${builderOrigins(config, host).join(" ")}`,
  ].join("; ");
}

/** Where the builder is: at PUBLIC_URL where chats have an address of their own beside it, else at another port of the same host. */
function builderOrigins({ PUBLIC_URL, CHAT_URL }: Config, host: string): string[] {
  if (PUBLIC_URL !== undefined && CHAT_URL !== undefined) return [new URL(PUBLIC_URL).origin];
  const { hostname } = new URL(`http://${host}`);
  return [`http://${hostname}:*`];
}
