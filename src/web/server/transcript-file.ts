import type { ChatDependencies } from "../../chat/steps/dependencies.ts";
import { loadKinds } from "../components/load-kinds.ts";
import { transcriptName, transcriptText } from "../components/transcript/transcript-text.ts";
import { conversationOf } from "../conversation/transcript.ts";
import type { Home } from "./chat-page.tsx";
import type { SessionView } from "./form/post-form.ts";
import { languageFor } from "./language.ts";

/** The conversation of a chat that has ended, as a file; undefined where its bot does not allow saving it. */
export async function transcriptFile(
  deps: ChatDependencies,
  request: Request,
  { home, session }: { readonly home: Home; readonly session: SessionView },
): Promise<Response | undefined> {
  const { bot, steps, isEnded } = session.snapshot;
  if (!isEnded || !bot.settings.maySaveTranscript) return undefined;
  const { words } = await languageFor(bot.settings, request);
  await loadKinds(steps);
  const found = await deps.reads.publishedBots.add(home.publicId);
  const title = bot.settings.title ?? (found?.name || words.chat);
  const text = transcriptText(conversationOf(steps).entries, { title, words, now: new Date() });
  const name = encodeURIComponent(transcriptName(title));
  return new Response(text, {
    headers: {
      "Content-Type": "text/plain; charset=utf-8",
      "Content-Disposition": `attachment; filename*=UTF-8''${name}`,
      "Cache-Control": "no-store",
      "X-Content-Type-Options": "nosniff",
    },
  });
}
