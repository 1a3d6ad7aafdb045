import { Link } from "../../routing/router.ts";
import { useChatAddress } from "../../session/service-pages.ts";
import { Button, EmptyState } from "../../ui/index.ts";
import { useWords } from "../../words/index.ts";
import { resultWords } from "../../words/results.ts";

type NothingProps = {
  readonly botId: string;
  readonly isFiltered: boolean;
  readonly publicId: string | null;
  readonly onClear: () => void;
};

/** Where there is no result: what to do first, or that none fits. */
export function Nothing({ botId, isFiltered, publicId, onClear }: NothingProps) {
  const chatAddress = useChatAddress();
  const address = chatAddress === undefined || publicId === null ? undefined : `${chatAddress}/${publicId}`;
  const words = useWords(resultWords);
  if (isFiltered) {
    return (
      <EmptyState icon="search" title={words.noneFound} text={words.noneFoundText}>
        <Button label={words.removeFilters} onPress={onClear} />
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon="message-circle"
      title={words.emptyTitle}
      text={publicId === null ? words.emptyUnpublished : words.emptyText}
    >
      <Link class="app-button is-primary is-m" to={`/bots/${botId}/share`}>
        {words.share}
      </Link>
      {address !== undefined && (
        <a class="app-button is-plain is-m" href={address} target="_blank" rel="noopener">
          {words.startIt}
        </a>
      )}
    </EmptyState>
  );
}
