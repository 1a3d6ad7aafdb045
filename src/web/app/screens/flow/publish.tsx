/** @jsxImportSource preact */
import type { OpenBot } from "../../editor/index.ts";
import { useLoaded } from "../../ui/use-loaded.ts";

const load = async () => (await import("./publish-dialog.tsx")).PublishDialog;

/** What is asked before a bot is published: a part that is loaded when it is met. */
export function PublishDialog(props: { readonly bot: OpenBot; readonly onClose: () => void }) {
  const Loaded = useLoaded(load);
  return Loaded ? <Loaded {...props} /> : null;
}
