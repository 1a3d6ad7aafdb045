import { useState } from "preact/hooks";
import { ApiFailure } from "../api/index.ts";
import { Banner, ConfirmDialog } from "../ui/index.ts";
import workspaceWords from "../words/en/workspace.json";
import { useWords } from "../words/index.ts";
import { UsedBy } from "./credentials-dialog.tsx";

type Props = {
  readonly name: string;
  readonly text: string;
  /** `force` is set after the person has seen which published bots use the secret or the file. */
  readonly remove: (query: { readonly force: boolean }) => Promise<void>;
  readonly onClose: () => void;
};

/**
 * Deletes a secret or a file. If published bots use it, the service refuses, and the dialog shows these bots before it
 * forces the deletion.
 */
export function DeleteGuarded({ name, text, remove, onClose }: Props) {
  const words = useWords(workspaceWords);
  const [bots, setBots] = useState<ReturnType<typeof botsIn>>([]);
  const isInUse = bots.length > 0;
  const confirm = async () => {
    try {
      await remove({ force: isInUse });
    } catch (cause) {
      const found = cause instanceof ApiFailure && cause.code.endsWith(".in_use") ? botsIn(cause.data) : [];
      if (found.length === 0) throw cause;
      setBots(found);
      throw new Error(words.inUse, { cause });
    }
  };
  return (
    <ConfirmDialog
      title={words.deleteTitle({ name })}
      text={text}
      action={isInUse ? words.deleteAnyway : words.delete}
      isDanger
      typed={name}
      onConfirm={confirm}
      onClose={onClose}
    >
      {isInUse && <Banner text={words.inUse} tone="warning" />}
      {isInUse && <UsedBy bots={bots} />}
    </ConfirmDialog>
  );
}

function botsIn(data: unknown): { id: string; name: string; isPublished: boolean; isDeleted: boolean }[] {
  if (typeof data !== "object" || data === null || !("bots" in data) || !Array.isArray(data.bots)) return [];
  return data.bots.flatMap((bot: unknown) => {
    if (typeof bot !== "object" || bot === null || !("id" in bot) || !("name" in bot)) return [];
    const isDeleted = "isDeleted" in bot && bot.isDeleted === true;
    return [{ id: String(bot.id), name: String(bot.name), isPublished: true, isDeleted }];
  });
}
