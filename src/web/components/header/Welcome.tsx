/** @jsxImportSource preact */
import type { Theme } from "../../../core/interpreter/schemas/theme.ts";
import { Avatar } from "../Avatar.tsx";

export type WelcomeProps = {
  readonly welcome: NonNullable<Theme["general"]>["welcome"];
  /** The name below the picture. */
  readonly name: string;
  /** The bot's avatar; undefined if the theme shows none. */
  readonly avatar: string | undefined;
};

/** The start of a chat, above the messages: the bot's large picture and name, and the theme's text. */
export function Welcome({ welcome, name, avatar }: WelcomeProps) {
  return (
    <div class="chat-welcome">
      {avatar !== undefined && <Avatar address={avatar} />}
      <p class="welcome-name" dir="auto">
        {name}
      </p>
      {welcome?.text && (
        <p class="welcome-text" dir="auto">
          {welcome.text}
        </p>
      )}
    </div>
  );
}
