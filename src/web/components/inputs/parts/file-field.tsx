/** @jsxImportSource preact */
import { allowedTypesOf } from "../../../conversation/files.ts";
import { textAt } from "../../../conversation/read.ts";
import type { Input } from "../../../conversation/step.ts";
import type { ChosenFiles } from "./chosen-files.ts";

type Props = {
  readonly id: string;
  readonly input: Input;
  readonly chosen: ChosenFiles;
  /**
   * Whether a script runs. The field is then invisible, covers its replacement and receives drops and clicks. Without a
   * script, the field itself is visible.
   */
  readonly isLive: boolean;
  readonly isMultiple: boolean;
  readonly isRequired?: boolean;
  readonly describedBy: string | undefined;
  readonly isInvalid: boolean;
  /** Whether this field receives the focus when the form appears, even if other elements precede it. */
  readonly isFirst?: boolean;
  /** The ids of the elements that name the field. */
  readonly labelledBy: string;
};

/** The browser's own field for files. The files are part of the form, whose handler stores them. */
export function FileField({ id, input, chosen, isLive, isMultiple, isRequired, ...names }: Props) {
  return (
    <input
      ref={chosen.field}
      class={isLive ? "cover-file" : "plain-file"}
      id={id}
      data-focus={names.isFirst}
      type="file"
      name="file"
      multiple={isMultiple}
      accept={acceptOf(input)}
      capture={captureOf(input)}
      required={isRequired}
      aria-labelledby={names.labelledBy}
      aria-describedby={names.describedBy}
      aria-invalid={names.isInvalid ? "true" : undefined}
      onChange={(event) => chosen.add(event.currentTarget.files ?? [])}
    />
  );
}

function acceptOf(input: Input): string | undefined {
  const accepted = allowedTypesOf(input).map((type) => (type.includes("/") ? type : `.${type.replace(/^\./, "")}`));
  return accepted.length > 0 ? accepted.join() : undefined;
}

const cameras = ["environment", "user"] as const;

/** Returns the camera that phones open, if the author specified one. */
export function captureOf(input: Input): (typeof cameras)[number] | undefined {
  const word = textAt(input, "options", "capture");
  return cameras.find((camera) => camera === word);
}
