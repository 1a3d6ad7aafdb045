/** @jsxImportSource preact */
import type { OpenBot } from "../../editor/index.ts";
import { useLoaded, useTypedMeanwhile } from "../../ui/use-loaded.ts";

const load = async () => (await import("../../find/find-bar.tsx")).FindBar;

/** The search of a flow, which is loaded when it is first met. */
export function FindBar(props: { readonly bot: OpenBot; readonly onClose: () => void }) {
  const Loaded = useLoaded(load);
  const first = useTypedMeanwhile(Loaded === undefined);
  return Loaded ? <Loaded {...props} first={first} /> : null;
}
