import { type ReadonlySignal, signal } from "@preact/signals";
import { type Answer, ApiFailure, call, forgetAll, onSignedOut } from "../api/index.ts";
import { leaveBehind } from "./unsaved.ts";

export type Me = Answer<"GET /api/v1/users/me">["user"];
export type Instance = Answer<"GET /api/v1/instance">["instance"];

const person = signal<Me>();
const service = signal<Instance>();
const ended = signal(false);

/** The person who is signed in; undefined before that is known, and while nobody is. */
export const me: ReadonlySignal<Me | undefined> = person;
/** The features of this service; undefined before it has answered. */
export const instance: ReadonlySignal<Instance | undefined> = service;
/** Whether the sign-in ended while the page was in use. */
export const hasEnded: ReadonlySignal<boolean> = ended;

onSignedOut(() => {
  if (person.value) ended.value = true;
});

/**
 * One browser has one sign-in: other tabs are notified of a new one, since their requests would count as that person's
 * from now on.
 */
const tabs = typeof document === "undefined" ? undefined : new BroadcastChannel("parley.sign-in");
tabs?.addEventListener("message", ({ data }) => {
  const known = person.value;
  if (known) ended.value = data !== known.id;
});

/** Asks who is signed in. False if nobody is. */
export async function loadMe(): Promise<boolean> {
  const found = await readMe();
  if (found) person.value = found;
  return found !== undefined;
}

/**
 * Takes note of who has signed in. Somebody else than before begins with nothing of the other's: then it is false, and
 * what was not saved is left behind before it could be sent as theirs.
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

/** The person as an answer of a write tells of them. */
export function setMe(next: Me): void {
  person.value = next;
}

export async function loadInstance(): Promise<Instance> {
  const { instance: answer } = await call("GET /api/v1/instance");
  service.value ??= answer;
  return answer;
}

/** Ends the sign-in of this browser. */
export async function signOut(): Promise<void> {
  await call("POST /api/v1/sign-out", {});
  person.value = undefined;
  ended.value = false;
  tabs?.postMessage(undefined);
  forgetAll();
}
