/** @jsxImportSource preact */

import { useState } from "preact/hooks";
import { filledTextAt, flagAt, listAt, textAt } from "../../conversation/read.ts";
import type { Input } from "../../conversation/step.ts";
import type { Words } from "../../conversation/words.ts";
import { Picture } from "../Picture.tsx";
import { groupNames, isMultipleChoice, SendSeveral, useKeys } from "./choice.tsx";
import type { InputKind } from "./parts/input-kind.ts";
import { hasPointer, useLive } from "./parts/live.ts";
import { Filter, matcher } from "./parts/option-filter.tsx";
import { pictureSource } from "./parts/picture-source.ts";
import { richAnswer } from "./parts/RichAnswer.tsx";
import { readChosen } from "./parts/read-chosen.ts";
import css from "./pictures.css" with { type: "text" };

/** A choice between pictures. One picture is pressed, or several are checked and sent. */
export const pictureInput: InputKind = {
  ...richAnswer,
  css: richAnswer.answerCss + css,
  View(props) {
    const { input, words } = props;
    const [search, setSearch] = useState("");
    const isLive = useLive(props.isLive);
    const isFiltered = flagAt(input, "options", "isSearchable") === true;
    const isSearchable = isLive && isFiltered;
    const items = itemsOf(input);
    const isVisible = isSearchable ? matcher(input, search) : () => true;
    const count = items.filter(({ label }) => isVisible(label)).length;
    const isMultiple = isMultipleChoice(input);
    const keys = useKeys(isLive && !isFiltered);
    return (
      <fieldset class={isFiltered ? "choices" : "choices has-keys"} {...(!isFiltered && keys)} {...groupNames(props)}>
        {isSearchable && <Filter {...props} count={count} search={search} onSearch={setSearch} />}
        <div class="pictures" tabIndex={-1} data-focus={(isSearchable && !hasPointer()) || undefined}>
          {items.map((item, index) =>
            isMultiple ? (
              <label
                key={`${index} ${item.id}`}
                class="typebot-selectable-picture picture"
                hidden={!isVisible(item.label)}
              >
                <Tile item={item} index={index} words={words} />
                <input type="checkbox" class="typebot-checkbox" name="choice" value={item.id} />
              </label>
            ) : (
              <button
                key={`${index} ${item.id}`}
                type="submit"
                class="typebot-picture-button picture"
                name="choice"
                value={item.id}
                hidden={!isVisible(item.label)}
              >
                <Tile item={item} index={index} words={words} />
              </button>
            ),
          )}
        </div>
        <SendSeveral {...props} />
      </fieldset>
    );
  },
  read: readChosen,
};

type Item = ReturnType<typeof itemsOf>[number];

function itemsOf(input: Input) {
  return listAt(input, "items").flatMap((item) => {
    const id = textAt(item, "id");
    if (id === undefined) return [];
    const title = filledTextAt(item, "title");
    const description = filledTextAt(item, "description");
    const pictureSrc = filledTextAt(item, "pictureSrc");
    // The text that a search matches.
    const label = [title, description].filter(Boolean).join(" ");
    return [{ id, title, description, source: pictureSource(pictureSrc), label }];
  });
}

/** A tile is named by its title, otherwise by its description, otherwise by its number. */
function Tile({ item, index, words }: { item: Item; index: number; words: Words }) {
  const { source, title, description } = item;
  const alt = title !== undefined || description !== undefined ? "" : `${words.picture} ${index + 1}`;
  return (
    <>
      {source === undefined ? (
        alt !== "" && <span class="picture-words">{alt}</span>
      ) : (
        <Picture class="picture-image" source={source} alt={alt} words={words} isStill />
      )}
      {(title !== undefined || description !== undefined) && (
        <span class="picture-words">
          {title !== undefined && (
            <span class="picture-title" dir="auto">
              {title}
            </span>
          )}
          {description !== undefined && (
            <span class="picture-description" dir="auto">
              {description}
            </span>
          )}
        </span>
      )}
    </>
  );
}
