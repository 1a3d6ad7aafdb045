import { type Signal, signal } from "@preact/signals";
import { ApiFailure, call } from "../api/index.ts";
import type { ModelNames } from "../forms/reading.ts";

type Known = { readonly names: Signal<readonly string[] | undefined>; isAsked: boolean };

/** The models of all accounts that were asked in this tab: each question is a call with the customer's key. */
const known = new Map<string, Known>();

/** The models of an account, by their names. Without its answer, names are typed. */
export function modelsOf(workspaceId: string, credentialsId: string): ModelNames {
  const key = `${workspaceId}/${credentialsId}`;
  const entry = known.get(key) ?? { names: signal(undefined), isAsked: false };
  known.set(key, entry);
  return {
    names: entry.names.value,
    ask() {
      if (!entry.isAsked) void ask(entry, { workspaceId, credentialsId });
    },
  };
}

async function ask(entry: Known, path: { readonly workspaceId: string; readonly credentialsId: string }) {
  entry.isAsked = true;
  entry.names.value = undefined;
  try {
    const { models } = await call("GET /api/v1/workspaces/:workspaceId/credentials/:credentialsId/models", { path });
    entry.names.value = models;
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    // It is asked again when the field is next focused.
    entry.isAsked = false;
    entry.names.value = [];
  }
}
