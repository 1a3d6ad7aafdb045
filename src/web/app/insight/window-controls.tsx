import { useMemo, useState } from "preact/hooks";
import { channelName } from "../page-parts/channels/kinds.ts";
import { FormDialog } from "../page-parts/form-dialog.tsx";
import { Select, TextField } from "../ui/index.ts";
import insightWords from "../words/en/insight.json";
import { useWords, type WordsOf } from "../words/index.ts";
import { dayText } from "../words/language.ts";
import { ownZone, timeNames, type Window } from "./window.ts";

type ControlsProps = {
  readonly window: Window;
  /** The numbers of the bot's versions, newest first; absent if the figures are not about one bot. */
  readonly versions?: readonly number[];
  /** Loads older versions; absent if all versions are loaded. */
  readonly onOlder?: (() => Promise<void>) | undefined;
  /** The selected comparison and the other options; absent if the figures cannot be compared. */
  readonly beside?: Choice | undefined;
  /** The types of messengers on which the bot answers. */
  readonly channels?: readonly string[];
  readonly onChange: (next: Window) => void;
};

type Choice = {
  readonly value: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly onChange: (value: string) => void;
};

const byDays = "days";
const older = "older";

/** The controls for the period, the version, the messenger, the comparison, and the time zone. */
export function WindowControls({ window, versions, onOlder, beside, channels = [], onChange }: ControlsProps) {
  const words = useWords(insightWords);
  const [isAsking, setAsking] = useState(false);
  const zones = useMemo(() => zonesWith(window.zone), [window.zone]);
  const isByDays = window.from !== "" || window.to !== "";
  const { version, channel } = window;
  const kinds = channel === undefined || channels.includes(channel) ? channels : [...channels, channel];
  const numbers = version === undefined || versions?.includes(version) ? versions : [version, ...(versions ?? [])];
  return (
    <search class="insight-controls">
      <Select
        name={words.time}
        value={isByDays ? byDays : window.time}
        options={[
          ...timeNames.map((value) => ({ value, label: words.times[value] })),
          ...(isByDays ? [{ value: byDays, label: daysText(window, words) }] : []),
          { value: isByDays ? "others" : byDays, label: words.customRange },
        ]}
        onChange={(value) => {
          const time = timeNames.find((one) => one === value);
          if (time === undefined) setAsking(true);
          else onChange({ ...window, from: "", to: "", time });
        }}
      />
      <Select
        name={words.zone}
        value={window.zone}
        options={zones.map((value) => ({ value, label: value.replaceAll("_", " ") }))}
        onChange={(zone) => onChange({ ...window, zone })}
      />
      {numbers !== undefined && numbers.length > 0 && (
        <Select
          name={words.version}
          value={version === undefined ? "" : String(version)}
          options={[
            { value: "", label: words.allVersions },
            ...numbers.map((number) => ({ value: String(number), label: words.versionOf({ number }) })),
            ...(onOlder ? [{ value: older, label: words.olderVersions }] : []),
          ]}
          onChange={(value) => {
            if (value === older) void onOlder?.();
            else onChange({ ...window, version: value === "" ? undefined : Number(value), beside: undefined });
          }}
        />
      )}
      {beside && beside.options.length > 1 && (
        <Select name={words.beside} value={beside.value} options={beside.options} onChange={beside.onChange} />
      )}
      {kinds.length > 0 && (
        <Select
          name={words.channel}
          value={channel ?? ""}
          options={[
            { value: "", label: words.allChannels },
            ...kinds.map((kind) => ({ value: kind, label: channelName(kind, words.channels) })),
          ]}
          onChange={(value) => onChange({ ...window, channel: value === "" ? undefined : value })}
        />
      )}
      {isAsking && (
        <Days
          window={window}
          onClose={() => setAsking(false)}
          onChoose={(days) => {
            setAsking(false);
            onChange({ ...window, ...days });
          }}
        />
      )}
    </search>
  );
}

function daysText({ from, to }: Window, words: WordsOf<"insight">): string {
  if (from === "") return words.until({ to: dayText(to) });
  if (to === "") return words.since({ from: dayText(from) });
  return words.between({ from: dayText(from), to: dayText(to) });
}

/** Returns the browser's zone, UTC and the selected zone, followed by the other zones that the browser supports. */
function zonesWith(chosen: string): readonly string[] {
  return [...new Set([ownZone(), "UTC", chosen, ...Intl.supportedValuesOf("timeZone")])];
}

type Days = Pick<Window, "from" | "to">;
type DaysProps = { readonly window: Window; readonly onChoose: (days: Days) => void; readonly onClose: () => void };

function Days({ window, onChoose, onClose }: DaysProps) {
  const words = useWords(insightWords);
  const [from, setFrom] = useState(window.from);
  const [to, setTo] = useState(window.to);
  const isTurned = from !== "" && to !== "" && from > to;
  return (
    <FormDialog
      title={words.customRange}
      action={words.show}
      required={{}}
      send={async () => onChoose(isTurned ? { from: to, to: from } : { from, to })}
      onClose={onClose}
    >
      {() => (
        <div class="app-pair">
          <TextField label={words.from} type="date" value={from} onInput={setFrom} attributes={{ autofocus: true }} />
          <TextField label={words.to} type="date" value={to} onInput={setTo} />
        </div>
      )}
    </FormDialog>
  );
}
