import { useComputed } from "@preact/signals";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { OpenBot } from "../../editor/index.ts";
import { announce, Banner, Button, Form, TextField } from "../../ui/index.ts";
import inputCheckWords from "../../words/en/input-check.json";
import { useWords } from "../../words/index.ts";
import { type CheckedReply, checkReply } from "./checked-reply.ts";
import "./input-check.css";

type InputCheckProps = { readonly bot: OpenBot; readonly blockId: string };

/** Shows whether an input accepts a reply with its current settings. */
export function InputCheck({ bot, blockId }: InputCheckProps) {
  const words = useWords(inputCheckWords);
  const [reply, setReply] = useState("");
  const [checked, setChecked] = useState<CheckedReply>();
  const [failure, setFailure] = useState<string>();
  const turn = useRef(0);
  const { editor } = bot;
  // Clears the result when the input's settings change, because the new rules may accept a reply that was rejected.
  const rules = useComputed(() => editor.store.block(blockId).value?.block).value;
  useLayoutEffect(() => {
    turn.current++;
    setChecked(undefined);
    setFailure(undefined);
  }, [rules]);
  const check = async (): Promise<void> => {
    const block = editor.store.find.block(blockId)?.block;
    if (!block) return;
    // Only the result of the newest press is used.
    turn.current++;
    const own = turn.current;
    setFailure(undefined);
    try {
      const found = await checkReply(bot.id, { draft: editor.copy.view(), block, reply });
      if (own !== turn.current) return;
      setChecked(found);
      announce(sentenceOf(found));
    } catch (error) {
      if (own !== turn.current) return;
      const sentence = error instanceof Error ? error.message : String(error);
      setChecked(undefined);
      setFailure(sentence);
      announce(sentence, "assertive");
    }
  };
  const sentenceOf = (found: CheckedReply): string => {
    if (found.kind === "taken") return found.answer === "" ? words.takenEmpty : words.taken({ answer: found.answer });
    return found.said === "" ? words.refused : words.refusedWith({ said: found.said });
  };
  return (
    <div class="input-check">
      <Form class="input-check-line" onSubmit={() => void check()}>
        <TextField
          label={words.reply}
          value={reply}
          onInput={(text) => {
            setReply(text);
            setChecked(undefined);
          }}
        />
        <Button label={words.check} type="submit" />
      </Form>
      {checked && <Banner text={sentenceOf(checked)} tone={checked.kind === "taken" ? "good" : "warning"} />}
      {failure !== undefined && <Banner text={failure} tone="danger" />}
    </div>
  );
}
