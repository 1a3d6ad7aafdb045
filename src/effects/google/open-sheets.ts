import type { Google } from "./google.ts";
import { type GoogleContext, openGoogle } from "./google-call.ts";
import type { GoogleFailure, GoogleSession } from "./google-session.ts";
import type { Tab, TabPlace } from "./tabs.ts";

/** Opens a Google session for spreadsheets with the given credentials. */
export function openSheets(
  { credentialsId, timeoutMs }: { readonly credentialsId: string; readonly timeoutMs: number },
  context: GoogleContext,
): ReturnType<typeof openGoogle> {
  return openGoogle({ type: "google sheets", credentialsId, scope: sheetsScope, timeoutMs }, context);
}

const sheetsScope = "https://www.googleapis.com/auth/spreadsheets";

type Failed = { readonly failure: GoogleFailure };

/**
 * Runs a task with the titles of a sheet. If the task fails with status 400 and the titles came from the cache, the
 * task is repeated once with new titles.
 */
export async function withTab<T extends object>(
  place: TabPlace,
  { google, session }: { readonly google: Google; readonly session: GoogleSession },
  task: (tab: Tab) => Promise<T | Failed>,
): Promise<T | Failed> {
  const tab = await google.tabs.find(place, session);
  if ("failure" in tab) return tab;
  const done = await task(tab);
  if (!("failure" in done) || done.failure.status !== 400 || !tab.isKept) return done;
  google.tabs.forget(place);
  const renamed = await google.tabs.find(place, session);
  return "failure" in renamed ? renamed : await task(renamed);
}
