/** @jsxImportSource preact */
import type { Theme } from "../../../core/interpreter/schemas/theme.ts";
import { Avatar } from "../Avatar.tsx";
import { HeaderActs, type HeaderActsProps } from "./HeaderActs.tsx";

type Props = Omit<HeaderActsProps, "header"> & {
  readonly header: NonNullable<NonNullable<Theme["general"]>["header"]>;
  readonly title: string;
  /** The bot's avatar; undefined if the theme shows none. */
  readonly avatar: string | undefined;
  readonly isEmbedded: boolean | undefined;
};

/** The bar above a chat, with the bot's avatar and name and the theme's buttons. */
export function Header({ header, title, avatar, isEmbedded, ...acts }: Props) {
  const Title = isEmbedded ? "p" : "h1";
  return (
    <header class="chat-header">
      {avatar !== undefined && <Avatar address={avatar} />}
      <Title class="chat-name" dir="auto">
        {header.name || title}
      </Title>
      <HeaderActs header={header} {...acts} />
    </header>
  );
}
