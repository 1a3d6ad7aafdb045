import type { OpenBot } from "../editor/index.ts";
import { Link } from "../routing/router.ts";
import { Button, Icon } from "../ui/index.ts";
import firstWords from "../words/en/first.json";
import { useWords } from "../words/index.ts";
import type { FirstCheck } from "./first-checks.ts";
import "./first-list.css";

type FirstListProps = {
  readonly bot: OpenBot;
  readonly checks: readonly FirstCheck[];
  readonly onLeave: () => void;
};

/**
 * The list of tasks that people often forget before they publish for the first time, with a mark at each completed
 * task. The list does not block the publication.
 */
export function FirstList({ bot, checks, onLeave }: FirstListProps) {
  const words = useWords(firstWords);
  const { name } = bot.bot.value;
  const said = (check: FirstCheck["check"], isDone: boolean): string =>
    check === "name" ? words[isDone ? "done" : "open"].name({ name }) : words[isDone ? "done" : "open"][check];
  const act = ({ check, blockId }: FirstCheck) => {
    if (check === "question")
      return (
        blockId !== undefined && (
          <Link to={`/bots/${bot.id}?at=${blockId}`} onFollow={onLeave}>
            {words.show}
          </Link>
        )
      );
    if (check === "contrast")
      return (
        <Link to={`/bots/${bot.id}/theme`} onFollow={onLeave}>
          {words.toTheme}
        </Link>
      );
    if (check === "phone")
      return (
        <Link to={`/bots/${bot.id}/preview`} onFollow={onLeave}>
          {words.tryIt}
        </Link>
      );
    return <Button label={words.rename} kind="quiet" size="s" onPress={() => focusName(onLeave)} />;
  };
  return (
    <section class="first">
      <h3 class="panel-section">{words.title}</h3>
      <ul>
        {checks.map((one) => (
          <li key={one.check} class={one.isDone ? "is-done" : ""}>
            <Icon
              name={one.isDone ? "circle-check" : "circle-dashed"}
              label={one.isDone ? words.isDone : words.isOpen}
            />
            <span>{said(one.check, one.isDone)}</span>
            {!one.isDone && act(one)}
          </li>
        ))}
      </ul>
    </section>
  );
}

function focusName(onLeave: () => void): void {
  onLeave();
  setTimeout(() => document.querySelector<HTMLInputElement>(".bot-bar-name > input")?.select());
}
