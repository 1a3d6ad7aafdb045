import { type ReadonlySignal, signal } from "@preact/signals";
import { type Answer, ApiFailure, call, forgetAll, onSignedOut } from "../api/index.ts";
import { leaveBehind } from "./unsaved.ts";

export type Me = Answer<"GET /api/v1/users/me">["user"];
export type Instance = Answer<"GET /api/v1/instance">["instance"];

const person = signal<Me>();
const service = signal<Instance>();
const ended = signal(false);

/** The signed-in person; undefined until the person is loaded, and while nobody is signed in. */
export const me: ReadonlySignal<Me | undefined> = person;
/** The properties of this instance; undefined until they are loaded. */
export const instance: ReadonlySignal<Instance | undefined> = service;
/** Whether the sign-in ended while the page was in use. */
export const hasEnded: ReadonlySignal<boolean> = ended;

onSignedOut(() => {
  if (person.value) ended.value = true;
});

/**
 * All tabs of a browser share one sign-in. Other tabs are notified of a new sign-in, because their requests would count
 * as the new person's.
 */
const tabs = typeof document === "undefined" ? undefined : new BroadcastChannel("parley.sign-in");
tabs?.addEventListener("message", ({ data }) => {
  const known = person.value;
  if (known) ended.value = data !== known.id;
});

/** Loads the signed-in person. Returns false if nobody is signed in. */
export async function loadMe(): Promise<boolean> {
  const found = await readMe();
  if (found) person.value = found;
  return found !== undefined;
}

/**
 * Records which person has signed in. If this is a different person than before, all data of the previous person is
 * dropped and the result is false. Unsaved work is set aside before it could be sent as the new person's.
 */
export async function noteSignIn(): Promise<boolean> {
  const before = person.value;
  const found = await readMe();
  const isSame = before === undefined || before.id === found?.id;
  if (!isSame) {
    leaveBehind();
    forgetAll();
  }
  person.value = found;
  ended.value = false;
  tabs?.postMessage(found?.id);
  return isSame;
}

async function readMe(): Promise<Me | undefined> {
  try {
    return (await call("GET /api/v1/users/me")).user;
  } catch (error) {
    if (error instanceof ApiFailure && error.status === 401) return undefined;
    throw error;
  }
}

/** Sets the person from the response of a write. */
export function setMe(next: Me): void {
  person.value = next;
}

export async function loadInstance(): Promise<Instance> {
  const { instance: answer } = await call("GET /api/v1/instance");
  service.value ??= answer;
  return answer;
}

/** Signs the person out in this browser. */
export async function signOut(): Promise<void> {
  await call("POST /api/v1/sign-out", {});
  person.value = undefined;
  ended.value = false;
  tabs?.postMessage(undefined);
  forgetAll();
}
