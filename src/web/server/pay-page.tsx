/** @jsxImportSource preact */
import { checkPaymentPage, type ShownPayment, showPayment } from "../../chat/payments/payment-page.ts";
import type { ChatDependencies } from "../../chat/steps/dependencies.ts";
import type { Page } from "../../management/operations/page.ts";
import { providerScriptUrl } from "../components/inputs/parts/payment-provider.ts";
import type { Words } from "../conversation/words.ts";
import { loadAssets } from "./assets.ts";
import { errorCard } from "./document/card.tsx";
import { renderDocument } from "./document/document.tsx";
import { languageFor, type PageLanguage } from "./language.ts";
import payBack from "./pay-back.js" with { type: "text" };
import payScript from "./pay-script.js" with { type: "text" };
import { contentSecurityPolicy, isSecure, newNonce, pageHeaders } from "./security.ts";

/**
 * Pages for a single payment, which open in a new tab. They contain no author's code. The payment uses the provider's
 * script, or the provider's hosted page without a script. The token in the URL is the secret of the payment. A GET of
 * `/hosted` creates the hosted page, because links need a GET request.
 */
export const payPages: readonly Page<ChatDependencies>[] = [
  {
    path: "/.pay/:token",
    host: "chat",
    async respond(deps, request, { params: { token } }) {
      return respondWith(deps, request, await showPayment(deps, String(token), { isHosted: false }), String(token));
    },
  },
  {
    path: "/.pay/:token/hosted",
    host: "chat",
    async respond(deps, request, { params: { token } }) {
      const shown = await showPayment(deps, String(token), { isHosted: true });
      if (shown.kind !== "hosted") return respondWith(deps, request, shown, String(token));
      return new Response(null, { status: 303, headers: { Location: shown.url, "Cache-Control": "no-store" } });
    },
  },
  {
    path: "/.pay/:token/done",
    host: "chat",
    async respond(deps, request, { params: { token } }) {
      return respondWith(deps, request, await checkPaymentPage(deps, String(token)), String(token));
    },
  },
];

async function respondWith(
  deps: ChatDependencies,
  request: Request,
  shown: ShownPayment,
  token: string,
): Promise<Response> {
  const language = await languageFor({ language: undefined, systemMessages: {} }, request);
  const nonce = newNonce();
  const html = renderDocument({
    language,
    theme: {},
    headElements: [],
    nonce,
    assets: await loadAssets(),
    data: undefined,
    card: errorCard(language.words.pay),
    children: <PayPage shown={shown} language={language} nonce={nonce} path={`/.pay/${token}`} />,
  });
  const policy = { nonce, theme: {}, isSecure: isSecure(deps.config), allowedOrigins: [], isSandboxed: false };
  const headers = pageHeaders(contentSecurityPolicy(policy), { holdsSession: true });
  headers.set("Referrer-Policy", "no-referrer");
  headers.set("X-Robots-Tag", "noindex");
  language.setHeaders(headers);
  return new Response(html, { status: shown.kind === "over" ? 404 : 200, headers });
}

type PayProps = {
  readonly shown: ShownPayment;
  readonly language: PageLanguage;
  readonly nonce: string;
  readonly path: string;
};

function PayPage({ shown, language: { words, lang }, nonce, path }: PayProps) {
  if (shown.kind !== "form") {
    return (
      <main class="no-chat">
        <h1>{sentenceOf(shown, words)}</h1>
        {shown.kind === "failed" && (
          <p>
            <a class="typebot-button note-link" href={path}>
              {words.pay}
            </a>
          </p>
        )}
        <script nonce={nonce} dangerouslySetInnerHTML={{ __html: payBack }} />
      </main>
    );
  }
  const { amount, secret, publicKey } = shown;
  const data = { "data-secret": secret, "data-key": publicKey, "data-done": `${path}/done`, "data-language": lang };
  return (
    <main class="no-chat">
      <h1>{amount}</h1>
      <form id="pay" hidden {...data}>
        <div id="pay-fields" />
        <p id="pay-problem" role="alert" />
        <button type="submit" class="typebot-button">
          {words.pay}
        </button>
      </form>
      <p>
        <a class="note-link" href={`${path}/hosted`}>
          {words.payAtProvider}
        </a>
      </p>
      <script nonce={nonce} src={providerScriptUrl} />
      <script nonce={nonce} dangerouslySetInnerHTML={{ __html: payScript }} />
    </main>
  );
}

function sentenceOf({ kind }: ShownPayment, words: Words): string {
  switch (kind) {
    case "paid":
      return words.paid;
    case "processing":
      return words.payProcessing;
    case "over":
      return words.payOver;
    default:
      return words.payFailed;
  }
}
