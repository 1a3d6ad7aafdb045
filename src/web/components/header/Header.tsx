/** @jsxImportSource preact */
import type { Theme } from "../../../core/interpreter/schemas/theme.ts";
import { loadRareEnglish } from "../../conversation/words.ts";
import { Avatar } from "../Avatar.tsx";
import type { HeaderActs, HeaderActsProps } from "./HeaderActs.tsx";
import type { Welcome, WelcomeProps } from "./Welcome.tsx";

type Props = Omit<HeaderActsProps, "header"> & {
  readonly header: NonNullable<NonNullable<Theme["general"]>["header"]>;
  readonly title: string;
  /** The bot's avatar; undefined where the theme shows none. */
  readonly avatar: string | undefined;
  readonly isEmbedded: boolean | undefined;
};

let Acts: typeof HeaderActs | undefined;
let Begin: typeof Welcome | undefined;

/** Loads what some themes have at the beginning of a chat, and what their headers offer. */
export async function loadHeader({ general }: Theme): Promise<void> {
  if (general?.welcome?.isEnabled) Begin = (await import("./Welcome.tsx")).Welcome;
  const { isEnabled, isRestartShown, isSoundShown } = general?.header ?? {};
  if (!isEnabled || !(isRestartShown || isSoundShown)) return;
  const [{ HeaderActs }] = await Promise.all([import("./HeaderActs.tsx"), loadRareEnglish()]);
  Acts = HeaderActs;
}

/** The bar above a chat: the bot's avatar and name, and at its end what the theme offers there. */
export function Header({ header, title, avatar, isEmbedded, ...acts }: Props) {
  const Title = isEmbedded ? "p" : "h1";
  return (
    <header class="chat-header">
      {avatar !== undefined && <Avatar address={avatar} />}
      <Title class="chat-name" dir="auto">
        {header.name || title}
      </Title>
      {Acts && <Acts header={header} {...acts} />}
    </header>
  );
}

/** The beginning of the chat, where the theme has one. */
export function Beginning(props: WelcomeProps) {
  return Begin && props.welcome?.isEnabled ? <Begin {...props} /> : null;
}
