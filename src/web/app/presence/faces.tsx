import type { OpenBot, Present } from "../editor/index.ts";
import { colorOf } from "../editor/person-colors.ts";
import { announce } from "../ui/index.ts";
import flowWords from "../words/en/flow.json";
import { useWords } from "../words/index.ts";
import { followed } from "./people.ts";
import "./people.css";

export type HereProps = {
  readonly bot: OpenBot;
  /** Whether a press on a person's avatar follows the person, which requires that the flow is visible. */
  readonly mayFollow?: boolean;
};

/** The avatars of the other people who have this bot open on any screen that edits it. */
export function Faces({ bot, mayFollow = false }: HereProps) {
  const { bar: words } = useWords(flowWords);
  const present = bot.live.present.value;
  const names = present.map(({ name }) => name ?? "?");
  const follow = ({ id, name }: Present): void => {
    followed.value = followed.value === id ? undefined : id;
    announce(followed.value === id ? words.following({ name: name ?? "?" }) : words.followEnded);
  };
  return (
    <span
      class="flow-here"
      {...{ role: mayFollow ? "group" : "img", "aria-label": words.here({ names: names.join(", ") }) }}
    >
      {present.slice(0, 4).map((one) => {
        const letter = (one.name ?? "?").slice(0, 1).toUpperCase();
        const color = colorOf(one.userId);
        return mayFollow ? (
          <button
            key={one.id}
            type="button"
            class="flow-face"
            data-person={color}
            aria-pressed={followed.value === one.id}
            aria-label={words.follow({ name: one.name ?? "?" })}
            title={words.follow({ name: one.name ?? "?" })}
            onClick={() => follow(one)}
          >
            {letter}
          </button>
        ) : (
          <span key={one.id} class="flow-face" data-person={color} title={one.name ?? "?"}>
            {letter}
          </span>
        );
      })}
      {present.length > 4 && <span class="flow-face">+{present.length - 4}</span>}
    </span>
  );
}
