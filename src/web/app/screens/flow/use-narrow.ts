import { useEffect, useState } from "preact/hooks";

const query = "(max-width: 900px)";

/** Whether the window is too narrow to show a panel beside the flow. */
export function useIsNarrow(): boolean {
  const [isNarrow, setNarrow] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const media = matchMedia(query);
    const read = () => setNarrow(media.matches);
    media.addEventListener("change", read);
    return () => media.removeEventListener("change", read);
  }, []);
  return isNarrow;
}
