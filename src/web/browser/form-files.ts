import type { Uploading } from "../components/uploading.ts";
import type { Input } from "../conversation/step.ts";
import type { Chat } from "./chat-state.ts";

/**
 * Uploads a form's files, and returns the form with the files' URLs. Returns undefined if the session has not started
 * or the files were not stored. In the latter case, the page shows the problem, unless the visitor cancelled the
 * upload.
 */
export async function storeFiles(chat: Chat, form: FormData, input: Input): Promise<FormData | undefined> {
  const { session, view, words } = chat;
  if (!session) return undefined;
  view.update({ error: undefined, refusal: undefined });
  const onProgress = (uploading: Uploading): void => view.update({ uploading });
  const stored = await chat.transport.storeFiles(form, { sessionId: session.id, input, words, onProgress });
  chat.isBusy = false;
  view.update({ uploading: undefined, ...(stored.kind === "wrong" && { error: stored.error }) });
  return stored.kind === "stored" ? stored.form : undefined;
}
