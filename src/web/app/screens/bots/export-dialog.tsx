import { useEffect, useState } from "preact/hooks";
import { isRecord } from "../../api/index.ts";
import { loadBlockTypes } from "../../forms/reading.ts";
import { ConfirmDialog, toast } from "../../ui/index.ts";
import { language, numberText, useWords } from "../../words/index.ts";
import { type BotFile, readFiles, saveFiles } from "./bot-actions.ts";
import type { BotSummary } from "./bots.ts";

type ExportProps = { readonly bots: readonly BotSummary[]; readonly onClose: () => void };

type OwnBlocks = { readonly files: readonly BotFile[]; readonly names: readonly string[] };

/**
 * Exports bots as files. If they contain blocks that other systems do not support, the dialog first lists these blocks.
 */
export function ExportDialog({ bots, onClose }: ExportProps) {
  const words = useWords();
  const [found, setFound] = useState<OwnBlocks>();
  useEffect(() => {
    let isOpen = true;
    const prepare = async () => {
      const [files, types] = await Promise.all([readFiles(bots), loadBlockTypes(language.value)]);
      if (!isOpen) return;
      const names = [...types.values()].flatMap(({ type, isOwn, editor }) => {
        const count = isOwn ? files.flatMap(({ flow }) => typesIn(flow)).filter((one) => one === type).length : 0;
        return count > 0 ? [`${editor.name} (${numberText(count)})`] : [];
      });
      if (names.length > 0) return setFound({ files, names });
      saveFiles(files);
      onClose();
    };
    prepare().catch((cause: unknown) => {
      toast(cause instanceof Error ? cause.message : String(cause));
      onClose();
    });
    return () => {
      isOpen = false;
    };
  }, []);
  if (!found) return null;
  return (
    <ConfirmDialog
      title={words.exportTitle({ count: bots.length })}
      text={words.exportText}
      action={words.exportFile}
      onConfirm={async () => saveFiles(found.files)}
      onClose={onClose}
    >
      <ul>
        {found.names.map((name) => (
          <li key={name}>{name}</li>
        ))}
      </ul>
    </ConfirmDialog>
  );
}

/** Returns the types of the blocks in an exported flow. */
function typesIn(flow: unknown): readonly unknown[] {
  return listOf(flow, "groups").flatMap((group) =>
    listOf(group, "blocks").map((block) => isRecord(block) && block["type"]),
  );
}

function listOf(holder: unknown, name: string): readonly unknown[] {
  const list = isRecord(holder) ? holder[name] : undefined;
  return Array.isArray(list) ? list : [];
}
