/** @jsxImportSource preact */
import { useLive } from "../inputs/parts/live.ts";

/** The time of a message, in the bot's language: the visitor's own time, and UTC where no script knows it. */
export function MessageTime({ at, language }: { readonly at: string; readonly language: string }) {
  const isLive = useLive(true);
  const moment = new Date(at);
  if (Number.isNaN(moment.getTime())) return null;
  return (
    <time
      class="message-time"
      dateTime={at}
      title={isLive ? formatted(moment, language, { dateStyle: "full", timeStyle: "short" }) : undefined}
    >
      {formatted(moment, language, isLive ? shortStyle(moment, new Date()) : { ...dayAndTime, ...worldTime })}
    </time>
  );
}

const dayAndTime = { day: "numeric", month: "short", hour: "numeric", minute: "2-digit" } as const;
const worldTime = { timeZone: "UTC", timeZoneName: "short" } as const;

/** Today has no date, this year no year. */
function shortStyle(moment: Date, now: Date): Intl.DateTimeFormatOptions {
  if (moment.toDateString() === now.toDateString()) return { hour: "numeric", minute: "2-digit" };
  return moment.getFullYear() === now.getFullYear() ? dayAndTime : { ...dayAndTime, year: "numeric" };
}

function formatted(moment: Date, language: string, style: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat(language, style).format(moment);
}
