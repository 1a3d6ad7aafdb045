import type { ComponentType } from "preact";
import type { WidgetProps } from "./contract.ts";
import { Branches } from "./layout/branches.tsx";
import { Choices } from "./layout/choices.tsx";
import { FileKinds } from "./layout/file-kinds.tsx";
import { Check, Follows } from "./layout/follows.tsx";
import { Model } from "./layout/model.tsx";
import { CallAddress, Send, SendOne, Trial } from "./layout/trial.tsx";
import type { WidgetName } from "./widget-of.ts";
import { Choice, SwitchField } from "./widgets/choice.tsx";
import { Code } from "./widgets/code.tsx";
import { Background, Color } from "./widgets/color.tsx";
import { Condition } from "./widgets/condition.tsx";
import { Font } from "./widgets/font.tsx";
import { Json } from "./widgets/json.tsx";
import { List, Pairs, Texts } from "./widgets/list.tsx";
import { MarkupText } from "./widgets/markup-text.tsx";
import { Media } from "./widgets/media.tsx";
import { Moment } from "./widgets/moment.tsx";
import { Duration, NumberField, NumberOrVariable } from "./widgets/number.tsx";
import { BlockPicker, BotPicker, CredentialsPicker, GroupPicker, VariablePicker } from "./widgets/pickers.tsx";
import { Remote } from "./widgets/remote.tsx";
import { RichText } from "./widgets/rich-text.tsx";
import { Secret } from "./widgets/secret.tsx";
import { Either, Kept, Section } from "./widgets/section.tsx";
import { StartValue } from "./widgets/start-value.tsx";
import { LongText, OptionalText, Suggestion, Text, Zone } from "./widgets/text.tsx";
import { WayOut } from "./widgets/way-out.tsx";

/** The component of each widget. A new widget needs a file and an entry in this list. */
export const widgets: Readonly<Record<WidgetName, ComponentType<WidgetProps>>> = {
  address: Text,
  background: Background,
  block: BlockPicker,
  branches: Branches,
  bot: BotPicker,
  callAddress: CallAddress,
  check: Check,
  choice: Choice,
  choices: Choices,
  code: Code,
  color: Color,
  condition: Condition,
  credentials: CredentialsPicker,
  duration: Duration,
  either: Either,
  fileKinds: FileKinds,
  follows: Follows,
  font: Font,
  group: GroupPicker,
  json: Json,
  kept: Kept,
  list: List,
  longText: LongText,
  markupText: MarkupText,
  media: Media,
  model: Model,
  moment: Moment,
  number: NumberField,
  numberOrVariable: NumberOrVariable,
  optionalText: OptionalText,
  pairs: Pairs,
  remote: Remote,
  richText: RichText,
  secret: Secret,
  section: Section,
  send: Send,
  sendOne: SendOne,
  startValue: StartValue,
  suggestion: Suggestion,
  switch: SwitchField,
  text: Text,
  texts: Texts,
  trial: Trial,
  variable: VariablePicker,
  wayOut: WayOut,
  zone: Zone,
};
