import { useEffect, useRef, useState } from "preact/hooks";
import { FormDialog } from "../../page-parts/form-dialog.tsx";
import { Button, Combobox, Icon, Segments, Select, TextField } from "../../ui/index.ts";
import resultWords from "../../words/en/result.json";
import { useWords, type WordsOf } from "../../words/index.ts";
import { dayText } from "../../words/language.ts";
import type { KeptVariable } from "./columns.ts";
import { type Filter, isNarrowed, noFilter, orders, stateFilters, timeFilters, type VariableFilter } from "./filter.ts";
import { fieldFilters, type ShownBot } from "./shown-fields.ts";

type FiltersProps = {
  readonly filter: Filter;
  readonly variables: readonly KeptVariable[];
  readonly bot: ShownBot;
  readonly onChange: (next: Filter) => void;
};

type Asking = "days" | "variable";

/** The controls of the filter. Below them, each active filter is a chip that can be removed. */
export function Filters({ filter, variables, bot, onChange }: FiltersProps) {
  const words = useWords(resultWords);
  const [asking, setAsking] = useState<Asking>();
  const isByDays = filter.from !== "" || filter.to !== "";
  return (
    <>
      <search class="results-filters">
        <Search filter={filter} onChange={onChange} />
        <Select
          name={words.state}
          value={filter.state}
          options={stateFilters.map((value) => ({ value, label: words.states[value] }))}
          onChange={(state) => onChange({ ...filter, state })}
        />
        <Select
          name={words.time}
          value={isByDays ? byDays : filter.time}
          options={[
            ...timeFilters.map((value) => ({ value, label: words.times[value] })),
            { value: byDays, label: words.betweenDays },
          ]}
          onChange={(value) => {
            if (value === byDays) setAsking("days");
            else onChange({ ...filter, from: "", to: "", time: timeFilters.find((one) => one === value) ?? "allTime" });
          }}
        />
        {fieldFilters(filter).map(({ name, value, with: withValue, title, filter: field }) => {
          const choices = field.choices(bot);
          if (choices.length < 2 && value === "") return null;
          return (
            <Select
              key={name}
              name={title(words)}
              value={value}
              options={[
                { value: "", label: field.anyName(words) },
                ...withChosen(choices, value).map((choice) => ({
                  value: choice,
                  label: field.nameOf(choice, words, bot),
                })),
              ]}
              onChange={(next) => onChange({ ...filter, ...withValue(next) })}
            />
          );
        })}
        {variables.length > 0 && <Button label={words.variable} icon="plus" onPress={() => setAsking("variable")} />}
        <Select
          name={words.order}
          value={filter.order}
          options={orders.map((value) => ({ value, label: words.orders[value] }))}
          onChange={(order) => onChange({ ...filter, order })}
        />
      </search>
      <Chips filter={filter} bot={bot} onChange={onChange} />
      {asking === "days" && (
        <Days
          filter={filter}
          onClose={() => setAsking(undefined)}
          onChoose={(days) => {
            setAsking(undefined);
            onChange({ ...filter, ...days, time: noFilter.time });
          }}
        />
      )}
      {asking === "variable" && (
        <VariableDialog
          variables={variables}
          onClose={() => setAsking(undefined)}
          onChoose={(added) => {
            setAsking(undefined);
            onChange({ ...filter, variables: [...filter.variables, added] });
          }}
        />
      )}
    </>
  );
}

/**
 * Adds the selected value to the choices. The URL may contain a value that is not in the list, such as an older
 * version.
 */
function withChosen(choices: readonly string[], value: string): readonly string[] {
  return value === "" || choices.includes(value) ? choices : [...choices, value];
}

const byDays = "days";
const typingPauseMs = 300;

function Search({ filter, onChange }: Pick<FiltersProps, "filter" | "onChange">) {
  const words = useWords(resultWords);
  const [text, setText] = useState(filter.text);
  const timer = useRef(0);
  useEffect(() => setText(filter.text), [filter.text]);
  useEffect(() => () => clearTimeout(timer.current), []);
  return (
    <TextField
      name={words.search}
      type="search"
      icon="search"
      placeholder={words.search}
      value={text}
      onInput={(next) => {
        setText(next);
        clearTimeout(timer.current);
        timer.current = window.setTimeout(() => onChange({ ...filter, text: next.trim() }), typingPauseMs);
      }}
      maxLength={200}
    />
  );
}

function Chips({ filter, bot, onChange }: Pick<FiltersProps, "filter" | "bot" | "onChange">) {
  const words = useWords(resultWords);
  if (!isNarrowed(filter)) return null;
  return (
    <ul class="results-chips" aria-label={words.filters}>
      {chipsOf(filter, { words, bot }).map(({ label, without }) => (
        <li key={label}>
          <button
            type="button"
            class="results-chip"
            aria-label={words.removeFilter({ label })}
            onClick={() => onChange({ ...filter, ...without })}
          >
            <span dir="auto">{label}</span>
            <Icon name="x" size={14} />
          </button>
        </li>
      ))}
      <li>
        <Button
          label={words.removeFilters}
          kind="quiet"
          size="s"
          onPress={() => onChange({ ...noFilter, order: filter.order })}
        />
      </li>
    </ul>
  );
}

type Chip = { readonly label: string; readonly without: Partial<Filter> };

function chipsOf(
  { state, time, from, to, zone, text, variables, ...fields }: Filter,
  { words, bot }: { readonly words: WordsOf<"result">; readonly bot: ShownBot },
): readonly Chip[] {
  const inZone = zone === "" ? "" : ` · ${zone.replaceAll("_", " ")}`;
  return [
    ...(state === noFilter.state ? [] : [{ label: words.states[state], without: { state: noFilter.state } }]),
    ...(from !== "" || to !== ""
      ? [{ label: `${daysText(from, to, words)}${inZone}`, without: { from: "", to: "", zone: "" } }]
      : time === noFilter.time
        ? []
        : [{ label: `${words.times[time]}${inZone}`, without: { time: noFilter.time, zone: "" } }]),
    ...fieldFilters(fields).flatMap(({ value, with: withValue, filter }) =>
      value === "" ? [] : [{ label: filter.nameOf(value, words, bot), without: withValue("") }],
    ),
    ...(text === "" ? [] : [{ label: words.containing({ text }), without: { text: "" } }]),
    ...variables.map((each) => ({
      label: (each.isPrefix ? words.begins : words.equals)({ name: each.name, value: each.value }),
      without: { variables: variables.filter((other) => other !== each) },
    })),
  ];
}

function daysText(from: string, to: string, words: WordsOf<"result">): string {
  if (from === "") return words.until({ to: dayText(to) });
  if (to === "") return words.sinceDay({ from: dayText(from) });
  return words.between({ from: dayText(from), to: dayText(to) });
}

type DaysProps = {
  readonly filter: Filter;
  readonly onChoose: (days: Pick<Filter, "from" | "to">) => void;
  readonly onClose: () => void;
};

function Days({ filter, onChoose, onClose }: DaysProps) {
  const words = useWords(resultWords);
  const [from, setFrom] = useState(filter.from);
  const [to, setTo] = useState(filter.to);
  return (
    <FormDialog
      title={words.betweenDays}
      action={words.show}
      required={{}}
      send={async () => onChoose(from !== "" && to !== "" && from > to ? { from: to, to: from } : { from, to })}
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

type VariableProps = {
  readonly variables: readonly KeptVariable[];
  readonly onChoose: (added: VariableFilter) => void;
  readonly onClose: () => void;
};

function VariableDialog({ variables, onChoose, onClose }: VariableProps) {
  const words = useWords(resultWords);
  const [name, setName] = useState(variables[0]?.name ?? "");
  const [how, setHow] = useState<"is" | "begins">("is");
  const [value, setValue] = useState("");
  return (
    <FormDialog
      title={words.variableTitle}
      text={words.variableText}
      action={words.show}
      required={{ name, value }}
      send={async () => onChoose({ name, value: value.trim(), isPrefix: how === "begins" })}
      onClose={onClose}
    >
      {(errorOf) => (
        <>
          <Combobox
            label={words.variable}
            value={name}
            options={variables.map((each) => ({ value: each.name, label: each.name }))}
            noneLabel={words.noneFound}
            onChange={(chosen) => setName(chosen ?? "")}
            error={errorOf("name")}
          />
          <Segments
            label={words.how}
            value={how}
            options={[
              { value: "is", label: words.isExactly },
              { value: "begins", label: words.beginsWith },
            ]}
            onChange={setHow}
          />
          <TextField
            label={words.value}
            value={value}
            onInput={setValue}
            error={errorOf("value")}
            maxLength={200}
            attributes={{ autofocus: true }}
          />
        </>
      )}
    </FormDialog>
  );
}
