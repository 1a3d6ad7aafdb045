import { useQuery } from "../../api/index.ts";
import { ConfirmDialog, Dialog, Skeleton } from "../../ui/index.ts";
import { numberText, useWords } from "../../words/index.ts";
import { resultWords } from "../../words/results.ts";
import { noFilter } from "./filter.ts";
import { readPage } from "./service.ts";

type DeleteProps = { readonly onConfirm: () => Promise<void>; readonly onClose: () => void };

/** Before some results are deleted: how many. */
export function DeleteSome({ count, ...rest }: DeleteProps & { readonly count: number }) {
  const words = useWords(resultWords);
  return (
    <ConfirmDialog
      title={`${words.delete(count)}?`}
      text={words.deleteText(count)}
      action={words.delete(count)}
      isDanger
      {...rest}
    />
  );
}

/** Before all are: how many there are without any filter, and the name of their bot has to be typed. */
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
  const count = totals ? `${numberText(totals.results)}${totals.isExact ? "" : "+"}` : "";
  return (
    <ConfirmDialog
      title={`${words.deleteAll}?`}
      text={words.deleteAllText(count)}
      action={words.deleteAll}
      isDanger
      typed={botName}
      {...rest}
    />
  );
}
