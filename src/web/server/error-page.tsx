/** @jsxImportSource preact */
import { type AppError, errorCatalogue } from "../../errors.ts";
import type { Words } from "../conversation/words.ts";
import { loadAssets } from "./assets.ts";
import { errorCard } from "./document/card.tsx";
import { renderDocument } from "./document/document.tsx";
import type { PageLanguage } from "./language.ts";
import { contentSecurityPolicy, newNonce, pageHeaders } from "./security.ts";

/**
 * Responds with a page that explains why there is no chat. For an error about a session, the page links to `path`,
 * where a new session starts.
 */
export async function respondWithErrorPage(
  error: AppError,
  language: PageLanguage,
  path: string | undefined,
): Promise<Response> {
  const { title, message, status } = reasonOf(error, language.words);
  const nonce = newNonce();
  const html = renderDocument({
    language,
    theme: {},
    headElements: [],
    nonce,
    assets: await loadAssets(),
    data: undefined,
    card: errorCard(title),
    children: (
      <main class="no-chat">
        <h1 dir="auto">{title}</h1>
        {message !== "" && <p>{message}</p>}
        {path !== undefined && error.code.startsWith("session.") && (
          <p>
            <a class="typebot-button note-link" href={path}>
              {language.words.startAgain}
            </a>
          </p>
        )}
      </main>
    ),
  });
  const ofAll = { nonce, theme: {}, isSecure: true, allowedOrigins: null, isSandboxed: false };
  const headers = pageHeaders(contentSecurityPolicy(ofAll), { holdsSession: false });
  language.setHeaders(headers);
  const entry = errorCatalogue[error.code];
  if ("retryAfterSeconds" in entry) headers.set("Retry-After", String(entry.retryAfterSeconds));
  for (const [name, value] of Object.entries(error.headers)) headers.set(name, value);
  return new Response(html, { status, headers });
}

type Reason = { readonly title: string; readonly message: string; readonly status: number };

function reasonOf(error: AppError, words: Words): Reason {
  const { status } = errorCatalogue[error.code];
  switch (error.code) {
    case "bot.closed":
    case "workspace.suspended":
      return { title: words.botClosed, message: "", status: 403 };
    case "bot.not_found":
    case "route.not_found":
      return { title: words.notFoundTitle, message: words.notFoundMessage, status };
    case "request.too_large":
      return { title: words.formTooLargeTitle, message: words.formTooLargeMessage, status };
    case "session.not_found":
    case "session.expired":
    case "session.ended":
      return { title: words.over, message: words.expired, status };
    default:
      return { title: words.unreachableTitle, message: words.unreachableMessage, status };
  }
}
