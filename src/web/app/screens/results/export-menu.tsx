import { useState } from "preact/hooks";
import { ConfirmDialog, Menu } from "../../ui/index.ts";
import resultWords from "../../words/en/result.json";
import { timeText, useWords } from "../../words/index.ts";
import type { Filter } from "./filter.ts";
import { type ExportFormat, exportFormats, exportResults, notCountedSince } from "./service.ts";

const formats: readonly ExportFormat[] = ["csv", "xlsx", "ndjson"];

/**
 * Exports the results that match the filter as a file. While the search index is incomplete, the person decides whether
 * to export without the missing results.
 */
export function ExportMenu({ botId, filter }: { readonly botId: string; readonly filter: Filter }) {
  const words = useWords(resultWords);
  const [refused, setRefused] = useState<{ readonly format: ExportFormat; readonly asOf: string } | undefined>();
  const exportAs = async (format: ExportFormat) => {
    try {
      await exportResults(botId, filter, { format });
    } catch (error) {
      const asOf = notCountedSince(error);
      if (asOf === undefined) throw error;
      setRefused({ format, asOf });
    }
  };
  return (
    <>
      <Menu
        label={words.export}
        icon="download"
        items={() =>
          formats.map((format) => ({
            label: words.exportAs({ format: exportFormats[format] }),
            onPress: () => void exportAs(format),
          }))
        }
      />
      {refused && (
        <ConfirmDialog
          title={words.partialTitle}
          text={words.partialText({ time: timeText(refused.asOf) })}
          action={words.exportPartial}
          onConfirm={async () => {
            await exportResults(botId, filter, { format: refused.format, allowPartial: true });
            setRefused(undefined);
          }}
          onClose={() => setRefused(undefined)}
        />
      )}
    </>
  );
}
