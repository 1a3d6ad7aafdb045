import { useRef } from "preact/hooks";
import { isSame } from "../../../../core/editing/changes/things.ts";
import { useQuery } from "../../api/index.ts";
import { useDifference } from "../../difference/index.ts";
import { read } from "./names.ts";
import { keyOf, readVersion, type Version } from "./service.ts";

/** Returns a version or a draft by its name, see `names.ts`. The object stays the same while its content does. */
export function useVersion(botId: string, name: string | undefined) {
  const isName = name !== undefined && read(name) !== undefined;
  const query = useQuery(isName ? `${keyOf(botId)}/one/${name}` : undefined, () => readVersion(botId, name ?? ""));
  return { value: useStable(query.value), failure: query.failure };
}

/** Returns two versions or drafts and their differences. */
export function useTwo(botId: string, from: string | undefined, to: string | undefined) {
  const before = useVersion(botId, from);
  const after = useVersion(botId, to);
  const changed = useDifference(before.value?.draft, after.value?.draft);
  return { before: before.value, after: after.value, changed, failures: { from: before.failure, to: after.failure } };
}

/**
 * Returns the previous object while the content is equal, so that an equal response to a repeated request renders
 * nothing again.
 */
function useStable(value: Version | undefined): Version | undefined {
  const kept = useRef(value);
  const seen = useRef(value);
  if (value === seen.current) return kept.current;
  seen.current = value;
  if (value?.name !== kept.current?.name || !isSame(value, kept.current)) kept.current = value;
  return kept.current;
}
