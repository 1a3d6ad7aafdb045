import { useQuery } from "../../api/index.ts";
import { Button, Checkbox, ConfirmDialog, Dialog, IconButton, Skeleton } from "../../ui/index.ts";
import resultWords from "../../words/en/result.json";
import { numberText, useWords } from "../../words/index.ts";
import { noFilter } from "./filter.ts";
import { readPage } from "./service.ts";
import { moved, noSettings, type TableSettings } from "./table-settings.ts";

type ColumnDialogProps = {
  /** All columns in the current order. */
  readonly columns: readonly {
    readonly id: string;
    readonly label: string;
    readonly hint?: string | undefined;
  }[];
  readonly settings: TableSettings;
  readonly onChange: (changes: Partial<TableSettings>) => void;
  readonly onClose: () => void;
};

const step = 40;
const usualWidth = 160;
const leastWidth = 64;
const mostWidth = 800;

/**
 * Edits the visible columns, their order and their widths. Changes are immediately visible in the table behind the
 * dialog.
 */
export function ColumnDialog({ columns, settings, onChange, onClose }: ColumnDialogProps) {
  const words = useWords(resultWords);
  const shared = useWords();
  const ids = columns.map(({ id }) => id);
  const show = (id: string, isShown: boolean) => {
    const hidden = new Set(settings.hidden);
    if (isShown) hidden.delete(id);
    else hidden.add(id);
    onChange({ hidden });
  };
  const widen = (id: string, by: number) => {
    const width = Math.min(mostWidth, Math.max(leastWidth, (settings.widths.get(id) ?? usualWidth) + by));
    onChange({ widths: new Map(settings.widths).set(id, width) });
  };
  return (
    <Dialog
      title={words.columns}
      text={words.columnsText}
      size="m"
      onClose={onClose}
      actions={
        <>
          <Button label={words.columnsDefault} kind="quiet" onPress={() => onChange(noSettings)} />
          <Button label={shared.done} kind="primary" onPress={onClose} />
        </>
      }
    >
      <ul class="results-columns">
        {columns.map(({ id, label, hint }, index) => (
          <li key={id}>
            <Checkbox
              label={label}
              help={hint}
              isChecked={!settings.hidden.has(id)}
              isDisabled={index === 0 && id === "began"}
              onChange={(isShown) => show(id, isShown)}
            />
            <span class="results-column-acts">
              <IconButton
                size="s"
                icon="minus"
                label={words.narrower({ column: label })}
                onPress={() => widen(id, -step)}
              />
              <IconButton size="s" icon="plus" label={words.wider({ column: label })} onPress={() => widen(id, step)} />
              <IconButton
                size="s"
                icon="arrow-up"
                label={words.moveBefore({ column: label })}
                isDisabled={index <= 1}
                onPress={() => onChange({ order: moved(ids, id, -1) })}
              />
              <IconButton
                size="s"
                icon="arrow-down"
                label={words.moveBehind({ column: label })}
                isDisabled={index === 0 || index === columns.length - 1}
                onPress={() => onChange({ order: moved(ids, id, 1) })}
              />
            </span>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

type DeleteProps = { readonly onConfirm: () => Promise<void>; readonly onClose: () => void };

/** The confirmation before some results are deleted, with their number. */
export function DeleteSome({ count, ...rest }: DeleteProps & { readonly count: number }) {
  const words = useWords(resultWords);
  return (
    <ConfirmDialog
      title={`${words.delete({ count })}?`}
      text={words.deleteText({ count })}
      action={words.delete({ count })}
      isDanger
      {...rest}
    />
  );
}

/**
 * The confirmation before all results of a bot are deleted, regardless of any filter. Shows their number. The bot's
 * name must be typed.
 */
export function DeleteAll({
  botId,
  botName,
  ...rest
}: DeleteProps & { readonly botId: string; readonly botName: string }) {
  const words = useWords(resultWords);
  const { value, failure } = useQuery(`results/${botId}/list/all`, () => readPage(botId, noFilter));
  if (!value && !failure) {
    return (
      <Dialog title={`${words.deleteAll}?`} size="s" onClose={rest.onClose}>
        <Skeleton rows={2} />
      </Dialog>
    );
  }
  const totals = value?.totals;
  const count = totals ? `${numberText(totals.results)}${totals.isLowerBound ? "+" : ""}` : "";
  return (
    <ConfirmDialog
      title={`${words.deleteAll}?`}
      text={words.deleteAllText({ count })}
      action={words.deleteAll}
      isDanger
      typed={botName}
      {...rest}
    />
  );
}
