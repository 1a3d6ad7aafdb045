import { type ReadonlySignal, signal } from "@preact/signals";
import { type Answer, ApiFailure, call, forgetAll, onSignedOut } from "../api/index.ts";

export type Me = Answer<"GET /api/v1/users/me">["user"];
export type Instance = Answer<"GET /api/v1/instance">["instance"];

const person = signal<Me>();
const service = signal<Instance>();
const ended = signal(false);

/** Who is signed in; undefined before that is known, and while nobody is. */
export const me: ReadonlySignal<Me | undefined> = person;
/** What this service can do; undefined before it has answered. */
export const instance: ReadonlySignal<Instance | undefined> = service;
/** Whether the sign-in ended while the page was in use. */
export const hasEnded: ReadonlySignal<boolean> = ended;

onSignedOut(() => {
  if (person.peek()) ended.value = true;
});

/** Asks who is signed in. False where nobody is. */
export async function loadMe(): Promise<boolean> {
  try {
    person.value = (await call("GET /api/v1/users/me")).user;
    return true;
  } catch (error) {
    if (error instanceof ApiFailure && error.status === 401) return false;
    throw error;
  }
}

/** Takes note of who has signed in. Somebody else than before begins with nothing of the other's: then it is false. */
export async function noteSignIn(): Promise<boolean> {
  const before = person.peek();
  await loadMe();
  const isSame = before === undefined || before.id === person.peek()?.id;
  if (!isSame) forgetAll();
  ended.value = false;
  return isSame;
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
  forgetAll();
}
