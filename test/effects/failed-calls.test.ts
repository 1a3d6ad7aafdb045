import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { ModelEffect } from "../../src/core/interpreter/program/model.ts";
import { performCall } from "../../src/effects/call.ts";
import { deferredServices } from "../../src/effects/deferred/index.ts";
import type { EffectContext } from "../../src/effects/effect-context.ts";
import { performFetch } from "../../src/effects/fetch.ts";
import { fetchBytes } from "../../src/effects/fetch-bytes.ts";
import { askToken } from "../../src/effects/google/ask-token.ts";
import { performGmail } from "../../src/effects/google/gmail.ts";
import { createGoogle } from "../../src/effects/google/google.ts";
import { performHttp } from "../../src/effects/http-request.ts";
import { createWorkspaceMailer, tryMailServer } from "../../src/effects/mail/workspace-mail.ts";
import { askProvider } from "../../src/effects/models/ask-provider.ts";
import { performModel } from "../../src/effects/models/model.ts";
import { createPaymentProvider, ProviderFailed } from "../../src/effects/payments/stripe.ts";
import { createProviderMetrics } from "../../src/effects/providers/provider-metrics.ts";
import { noHops } from "../../src/effects/safe-fetch/hops.ts";
import { createSafeFetch, type SafeFetch } from "../../src/effects/safe-fetch/safe-fetch.ts";
import { createSafeStream, type SafeStream } from "../../src/effects/safe-fetch/safe-fetch-stream.ts";
import { performSheet } from "../../src/effects/sheet.ts";
import { performSpeech } from "../../src/effects/speech.ts";
import { performTranscription } from "../../src/effects/transcription.ts";
import { findProof } from "../../src/management/domains/domain-proof.ts";
import { sendSigned } from "../../src/management/events/event-delivery.ts";
import { serviceAccount } from "../fake-providers/google/accounts.ts";
import { testSecret } from "../support/events.ts";
import { type FailingCall, startFailingCalls } from "../support/failing-calls.ts";
import { createSkippingClock } from "./google/google-world.ts";

/** The outgoing calls of a caller, which all fail with the same error. */
type World = {
  readonly call: FailingCall;
  readonly safeFetch: SafeFetch;
  readonly safeStream: SafeStream;
  readonly context: EffectContext;
};

let failing: Awaited<ReturnType<typeof startFailingCalls>>;
beforeAll(async () => {
  failing = await startFailingCalls();
});
afterAll(() => failing.close());

const accounts: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  "google sheets": serviceAccount,
  gmail: { refreshToken: "refresh", clientId: "client", clientSecret: "secret", account: "ana@example.com" },
};
const providers = { urls: new Map(), metrics: createProviderMetrics() };

/** The error of each call. Each call is made only once. */
const errors = new Map<FailingCall, Promise<unknown>>();

function errorOf(call: FailingCall): Promise<unknown> {
  const known = errors.get(call) ?? createSafeFetch(call.options)(call.request).catch((error: unknown) => error);
  errors.set(call, known);
  return known;
}

/**
 * Returns a world in which each call fails with the error of `call`. A stream fails in the same way, possibly after its
 * first bytes.
 */
function worldOf(call: FailingCall): World {
  const { redirect: _, ...wrong } = call.request;
  const stream = createSafeStream(call.options);
  const safeFetch: SafeFetch = async () => {
    throw await errorOf(call);
  };
  const safeStream: SafeStream = async (request) => {
    if (call.isLarge) throw await errorOf(call);
    return await stream({ ...request, ...wrong });
  };
  const context: EffectContext = {
    ...{ safeFetch, safeStream, providers, hops: noHops, idempotencyKey: "key", timeLeftMs: 1 },
    google: createGoogle({ clock: createSkippingClock(), client: undefined }),
    credentials: {
      find: async ({ type }) => accounts[type] ?? { apiKey: "any-key" },
      noteUse: async () => undefined,
    },
    ...{ sessionId: "session", previewedBy: null },
    listSteps: async () => [],
    findLinkedFlow: async () => undefined,
    partsOfSuggestion: async () => undefined,
  };
  return { call, safeFetch, safeStream, context };
}

const ofModel = { credentialsType: "openai", credentialsId: "ours", model: "any", timeoutMs: 1 } as const;
const model: ModelEffect = { ...ofModel, kind: "model", messages: [{ role: "user", content: "Hi" }] };
/** The callers. Each returns whether it reports the failure as a failure of its call. */
const callers: Readonly<Record<string, (world: World) => Promise<boolean>>> = {
  "an HTTP block": async ({ context }) => {
    const effect = {
      kind: "http",
      url: "https://outside.example/",
      method: "GET",
      headers: [],
      timeoutMs: 1_000,
    } as const;
    const report = await performHttp({ ...effect, retries: 0 }, context);
    return report.kind === "http" && "error" in report;
  },
  "a script": async ({ context }) => {
    const report = await performFetch({ kind: "fetch", url: "https://outside.example/", init: {} }, context);
    return report.kind === "fetch" && "error" in report.answer;
  },
  "a service": async ({ context }) => {
    const report = await performCall(
      {
        ...({ kind: "call", credentialsType: "nocodb", credentialsId: "ours", retries: 0, timeoutMs: 1_000 } as const),
        request: { method: "GET", path: "/any" },
      },
      context,
    );
    return report.kind === "call" && "failure" in report;
  },
  "a model": async ({ context }) => {
    const report = await performModel(model, context);
    return report.kind === "model" && "failure" in report;
  },
  "an assistant of Dify": async ({ context }) => {
    const app = { user: "ana", inputs: {} };
    const report = await performModel({ ...model, credentialsType: "dify-ai", app }, context);
    return report.kind === "model" && "failure" in report;
  },
  "a recording": async ({ context }) => {
    const report = await performSpeech({ ...ofModel, kind: "speech", blockId: "b", input: "Hi", voice: "v" }, context);
    return "failure" in report;
  },
  "a transcription": async ({ context }) => {
    const address = "https://outside.example/clip.mp3";
    const report = await performTranscription({ ...ofModel, kind: "transcription", address }, context);
    return report.kind === "transcription" && "failure" in report;
  },
  "a file": async ({ context }) =>
    "problem" in (await fetchBytes("https://outside.example/", { ...context, maxBytes: 9, timeoutMs: 1_000 })),
  "a sheet": async ({ context }) => {
    const act = { kind: "get", columns: ["Name"], rows: { take: "All" } } as const;
    const place = { kind: "sheet", credentialsId: "ours", spreadsheetId: "any", sheetId: "0", timeoutMs: 1 } as const;
    return "failure" in (await performSheet({ ...place, act }, context));
  },
  "a mail of Gmail": async ({ context }) => {
    const mail = { to: ["ana@example.com"], subject: "Hi", body: { text: "Hi" } };
    const report = await performGmail({ kind: "gmail", credentialsId: "ours", mail, timeoutMs: 1 }, context);
    return report.kind === "gmail" && "failure" in report;
  },
  "a token of Google": async ({ safeFetch }) =>
    "said" in (await askToken({ safeFetch, providers, workspaceId: "ours" }, {}, [])),
  "a test of credentials": async ({ safeFetch }) => {
    const question = { url: "https://outside.example/", headers: [], keys: [], workspaceId: "ours" };
    return "problem" in (await askProvider(safeFetch, question));
  },
  "a payment": async ({ safeFetch }) => {
    const provider = await createPaymentProvider("sk_live_1", { safeFetch, hops: noHops, timeLeftMs: 1_000 });
    const failure = await provider.findIntent("pi_1").catch((error: unknown) => error);
    return failure instanceof ProviderFailed;
  },
  "an event": async ({ safeFetch }) => {
    const message = { url: "https://outside.example/", id: "1", body: "{}", workspaceId: "ours", keepAliveKey: "one" };
    return (await sendSigned({ safeFetch }, { ...message, secrets: [testSecret] })).kind === "failed";
  },
  "a check of a domain": async ({ safeFetch }) => {
    const domain = { name: "outside.example", proof: "proof", workspaceId: "ours" };
    const resolveTxt = async () => [];
    return (await findProof({ safeFetch, resolveTxt }, domain)).kind === "unproved";
  },
};

describe.each(Object.keys(callers))("%s", (name) => {
  test("the caller reports each kind of failure as a failed call", async () => {
    const reported = await Promise.all(
      failing.calls.map(async (call) => {
        const isReported = await callers[name]?.(worldOf(call)).catch((error: unknown) => String(error));
        return [call.what, isReported] as const;
      }),
    );

    expect(reported.filter(([, isReported]) => isReported !== true)).toEqual([]);
  });
});

test.each([...deferredServices.keys()])("a deferred call of %s ends as failed after any failure", async (type) => {
  const service = deferredServices.get(type);
  const content = type === "gmail" ? { to: ["ana@example.com"], subject: "Hi", body: { text: "Hi" } } : {};
  const ended = await Promise.all(
    failing.calls.map(async (call) => {
      const { safeFetch, context } = worldOf(call);
      const waiting = [{ id: "01", content, isRepeated: false }];
      const credentials = accounts[type] ?? { apiKey: "any-key" };
      const world = {
        safeFetch,
        providers,
        google: context.google,
        workspaceId: "ours",
        credentialsId: "ours",
        credentials,
      };
      const [end] = (await service?.deliver(waiting, world).catch((error: unknown) => [String(error)])) ?? [];
      return [call.what, typeof end === "object" ? end.kind : end] as const;
    }),
  );

  expect(ended.filter(([, end]) => end !== "failed")).toEqual([]);
});

test.each(["ENOTFOUND", "EAI_AGAIN"])(
  "a mail to a server with an unresolvable name (%s) fails, and can be retried",
  async (code) => {
    const rules = {
      permits: () => true,
      allowedHosts: [],
      resolve: () => Promise.reject(Object.assign(new Error(`getaddrinfo ${code}`), { code })),
    };
    const data = { host: "mail.example", port: 25, from: { email: "ana@example.com" } };
    const mail = { to: ["ana@example.com"], cc: [], bcc: [], subject: "Hi", body: { text: "Hi" } };

    expect(await createWorkspaceMailer(rules).send(data, mail, "1")).toMatchObject({
      kind: "failed",
      isRetryable: true,
    });
    expect(await tryMailServer(data, rules)).toContain(code);
  },
);
