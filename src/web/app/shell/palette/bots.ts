import { useEffect, useState } from "preact/hooks";
import { type Answer, call, useQuery } from "../../api/index.ts";
import { termsOf } from "../../palette/score.ts";

type Bot = Answer<"GET /api/v1/bots">["bots"][number];

const pageSize = 100;
/** The pause in typing after which the search is sent to the service. */
const typingPauseMs = 150;

/**
 * Returns the first page of a workspace's bots. If there are more, also returns the bots that the service finds for the
 * longest typed word.
 */
export function useBots(
  workspaceId: string | undefined,
  typed: string,
): { readonly bots: readonly Bot[]; readonly isSearching: boolean } {
  const key = workspaceId === undefined ? undefined : `bots/${workspaceId}/palette`;
  const read = (search?: string) =>
    call("GET /api/v1/bots", { query: { workspaceId: workspaceId ?? "", limit: pageSize, ...(search && { search }) } });
  const { value: newest, isLoading } = useQuery(key, () => read());
  const hasMore = newest?.nextCursor !== undefined;
  // Uses the text as typed, because the service distinguishes accents.
  const wanted = hasMore ? longestOf(typed) : "";
  const search = useAfterPause(wanted);
  const found = useQuery(key === undefined || search === "" ? undefined : `${key}/${search}`, () => read(search));
  const known = newest?.bots ?? none;
  const further = found.value?.bots.filter(({ id }) => known.every((bot) => bot.id !== id)) ?? none;
  return {
    bots: further.length === 0 ? known : [...known, ...further],
    isSearching:
      (isLoading && newest === undefined) ||
      (wanted !== "" && (search !== wanted || (found.isLoading && found.value === undefined))),
  };
}

function longestOf(typed: string): string {
  if (termsOf(typed).length === 0) return "";
  return typed
    .trim()
    .split(/\s+/)
    .reduce((longest, word) => (word.length > longest.length ? word : longest), "");
}

/** Returns a value after it has not changed for a moment. */
function useAfterPause(value: string): string {
  const [last, setLast] = useState("");
  useEffect(() => {
    if (value === last) return;
    const timer = setTimeout(() => setLast(value), typingPauseMs);
    return () => clearTimeout(timer);
  }, [value, last]);
  return last;
}

const none: readonly never[] = [];
