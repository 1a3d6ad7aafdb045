import { Button } from "../../ui/index.ts";
import formWords from "../../words/en/form.json";
import { useWords } from "../../words/index.ts";
import { followingTypes } from "../contract.ts";
import { useFormRoot } from "../form-root.ts";

/** Buttons for the blocks that most often follow a text: a text input, buttons, or a picture. */
export function Follows() {
  const { context } = useFormRoot();
  const { follows: words } = useWords(formWords);
  return (
    <div class="app-form-chips" {...{ role: "group", "aria-label": words.label }}>
      {followingTypes.map((type) => (
        <Button key={type} label={words[type]} icon="plus" size="s" onPress={() => context.follow?.(type)} />
      ))}
    </div>
  );
}

/** Renders the check of a reply, in the form of a single input. */
export function Check() {
  const { Check: OfInput } = useFormRoot().context;
  return OfInput ? <OfInput /> : null;
}
