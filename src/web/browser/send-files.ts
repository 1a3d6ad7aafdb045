import type { Uploading } from "../components/uploading.ts";
import type { Input } from "../conversation/step.ts";
import type { Chat } from "./chat-state.ts";

type Answered = { readonly input: Input; send(chat: Chat, form: FormData): void };

/** Uploads a form's files, then sends the form with their addresses. The chat is busy meanwhile. */
export async function sendFiles(chat: Chat, form: FormData, { input, send }: Answered): Promise<void> {
  const { session, view, words } = chat;
  if (!session) return;
  view.update({ error: undefined, refusal: undefined });
  const onProgress = (uploading: Uploading): void => view.update({ uploading });
  const stored = await chat.transport.storeFiles(form, { sessionId: session.id, input, words, onProgress });
  if (chat.session !== session) return;
  chat.isBusy = false;
  view.update({ uploading: undefined });
  if (stored.kind === "stored") send(chat, stored.form);
  if (stored.kind === "wrong") view.update({ error: stored.error });
}
