import { type Clip, readClip } from "../../../core/editing/references/clipboard.ts";
import { pictureBlock } from "../../../core/editing/references/foreign-parts.ts";
import { ApiFailure } from "../api/index.ts";
import { upload } from "../api/upload.ts";
import { instance, loadInstance } from "../session/session.ts";
import { toast } from "../ui/index.ts";
import pastingWords from "../words/en/pasting.json";
import { currentWords } from "../words/language.ts";

/** Returns the first picture among the files of a clipboard, if there is one. */
export function pictureIn(data: DataTransfer | null): File | undefined {
  return [...(data?.files ?? [])].find(({ type }) => type.startsWith("image/"));
}

/**
 * Uploads a picture to the files of a workspace and returns a copied block that shows it. Returns undefined if the
 * instance stores no files or the upload fails; a message then tells the author why.
 */
export async function keepPicture(workspaceId: string, file: File): Promise<Clip | undefined> {
  const words = currentWords(pastingWords);
  const { has } = instance.value ?? (await loadInstance());
  if (!has.storage) {
    toast(words.noStorage);
    return undefined;
  }
  try {
    const place = { path: { workspaceId }, query: { name: (file.name || "picture").slice(-255) } };
    const stored = await upload("POST /api/v1/workspaces/:workspaceId/files", { ...place, file });
    return readClip(JSON.stringify(pictureBlock(stored.workspaceFile.url)));
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    toast(words.notKept({ why: error.message }));
    return undefined;
  }
}
