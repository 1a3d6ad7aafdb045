import { afterEach, expect, test } from "bun:test";
import { effect } from "@preact/signals";
import { setScheme } from "../../../../src/web/app/session/preferences.ts";
import { type Me, me, setMe } from "../../../../src/web/app/session/session.ts";

const { fetch: ownFetch } = globalThis;
afterEach(() => {
  globalThis.fetch = ownFetch;
  Reflect.deleteProperty(globalThis, "document");
});

const person = (id: string): Me => Object.assign(Object.create(null), { id, preferences: {} });

test("an unsent preference is not sent after another person has signed in", async () => {
  const sent: unknown[] = [];
  const heard = Promise.withResolvers<void>();
  globalThis.fetch = Object.assign(
    async (_: unknown, request?: RequestInit) => {
      const { preferences } = JSON.parse(String(request?.body));
      sent.push(preferences.scheme);
      heard.resolve();
      return Response.json({ user: person("grace") });
    },
    { preconnect: ownFetch.preconnect },
  );
  const documentElement = { setAttribute() {}, removeAttribute() {} };
  Object.defineProperty(globalThis, "document", { value: { documentElement }, configurable: true });

  setMe(person("ada"));
  setScheme("dark");
  setMe(person("grace"));
  // A macrotask runs after the request would have been sent.
  await new Promise((resolve) => setImmediate(resolve));
  expect(sent).toEqual([]);

  setScheme("light");
  await heard.promise;
  expect(sent).toEqual(["light"]);
});

test("a preference is sent although an earlier response failed to render", async () => {
  const sent: unknown[] = [];
  const isSent = Promise.withResolvers<void>();
  globalThis.fetch = Object.assign(
    async (_: unknown, request?: RequestInit) => {
      const { preferences } = JSON.parse(String(request?.body));
      sent.push(preferences.scheme);
      if (preferences.scheme === "light") isSent.resolve();
      return Response.json({ user: person("ada") });
    },
    { preconnect: ownFetch.preconnect },
  );
  const documentElement = { setAttribute() {}, removeAttribute() {} };
  Object.defineProperty(globalThis, "document", { value: { documentElement }, configurable: true });
  setMe(person("ada"));
  // Simulates a part of the page that throws while rendering the person after the service's response.
  const isFailing = Promise.withResolvers<void>();
  const stop = effect(() => {
    if (me.value === undefined || sent.length !== 1) return;
    isFailing.resolve();
    throw new Error("It cannot be drawn");
  });
  setScheme("dark");
  await isFailing.promise;
  stop();
  setScheme("light");
  await isSent.promise;
  expect(sent).toEqual(["dark", "light"]);
});
