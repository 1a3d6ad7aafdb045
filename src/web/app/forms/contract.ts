import type { ReadonlySignal } from "@preact/signals";
import type { ComponentChildren, FunctionComponent } from "preact";
import type { WayOutName } from "../../../core/interpreter/schemas/own-keys.ts";
import type { UploadOptions } from "../api/upload.ts";
import type { SharedText } from "../presence/shared-text.ts";
import type { FieldSchema } from "./schema.ts";
import type { Common } from "./several.ts";
import type { Around, Path } from "./values.ts";
import type { WidgetName } from "./widget-of.ts";

/** The context of a form. If its functions read signals, the form is rendered again when the signals change. */
export type FormContext = {
  readonly variables: ReadonlySignal<readonly { readonly id: string; readonly name: string }[]>;
  /** Whether texts can contain variables. Defaults to true. */
  readonly hasVariables?: boolean;
  /** Creates a variable and returns its id. */
  makeVariable(name: string): string;
  groups(): readonly FormGroup[];
  /** Returns the groups of another bot; undefined until they are loaded, and null if they cannot be read. */
  groupsOf?(botId: string): readonly FormGroup[] | null | undefined;
  bots(): readonly { readonly id: string; readonly name: string }[];
  /** Returns the credentials of a type. Without a type, returns all credentials. */
  credentials(type?: string): readonly { readonly id: string; readonly name: string }[];
  /** Returns the models that the credentials can use. Absent if models cannot be listed. */
  models?(credentialsId: string): ModelNames;
  /**
   * Returns the dialog that creates credentials of the given type, or of any type if none is given. Absent if this
   * person may not create credentials.
   */
  newCredentials?(making: {
    readonly type: string | undefined;
    readonly onMade: (id: string) => void;
    readonly onClose: () => void;
  }): ComponentChildren;
  readonly isReadOnly: boolean;
  /** For a form of several blocks: the fields with different values, and these values. */
  readonly mixed?: Common["mixed"];
  /**
   * Uploads a file for the bot's visitors and returns its URL. Throws an `ApiFailure` when the upload fails. Absent if
   * uploads are not possible.
   */
  upload?(file: File, options: UploadOptions): Promise<string>;
  /** Returns the files of the workspace, newest first. Absent if no files can be chosen. */
  library?(): Promise<readonly LibraryFile[]>;
  /** The greatest size of an uploaded file, in megabytes. */
  readonly uploadMegabytes?: number | undefined;
  /** Returns the service's validation errors by path, joined with dots, such as `options.labels.button`. */
  errors?(): ReadonlyMap<string, string>;
  /**
   * Returns the shared text at a path, which is the same object while the field uses it. Absent if nobody else can edit
   * the texts.
   */
  sharedText?(path: Path): SharedText;
  /** For the form of one block: its exits by name, and the groups that they lead to. */
  readonly waysOut?: {
    /** Returns the id of the target group; undefined if the exit is not connected. */
    targetOf(name: WayOutName): string | undefined;
    add(name: WayOutName): void;
    remove(name: WayOutName): void;
    lead(name: WayOutName, groupId: string | undefined): void;
  };
  /** For the form of one block: the groups that its items lead to. */
  readonly itemLeads?: {
    targetOf(edgeId: string): { readonly groupId: string; readonly title: string } | undefined;
    lead(itemId: string, groupId: string | undefined): void;
  };
  /**
   * For the form of one block: requests the options of a field from the external service. The field is given by its
   * path below `options`, without list positions. The `found` options are undefined until they are loaded. `refresh`
   * ignores cached options.
   */
  remoteOptions?(field: string, dependsOn: readonly string[]): RemoteOptions;
  /** For the form of one block with a request: sends the request and shows the response. */
  readonly Trial?: FunctionComponent<TrialProps>;
  /** For the form of one input: checks a reply against the rules of the input. */
  readonly Check?: FunctionComponent;
  /** For the form of one bubble: adds a block of the given type below it. */
  follow?(type: FollowingType): void;
  /**
   * Returns the content below a field, such as a pending decision about the field. `isWhole`: whether the field renders
   * everything inside its value.
   */
  below?(path: Path, options: { readonly isWhole: boolean }): ComponentChildren;
};

export type LibraryFile = { readonly id: string; readonly name: string; readonly type: string; readonly url: string };

/** The types of blocks that most often follow a text. */
export const followingTypes = ["text input", "choice input", "image"] as const;
export type FollowingType = (typeof followingTypes)[number];

export type TrialProps = {
  /** Whether the trial sends the block's e-mail to the author. */
  readonly isMail?: boolean | undefined;
  /**
   * The number of presses on an external send button. Each increase sends once. If absent, the trial has its own
   * button.
   */
  readonly asked?: number | undefined;
};

export type ModelNames = {
  /** Undefined until the names are loaded. */
  readonly names: readonly string[] | undefined;
  /** Requests the names from the provider, unless they were requested before. */
  ask(): void;
};

export type RemoteOptions = {
  /** Undefined until the options are loaded. */
  readonly found: FoundOptions | undefined;
  readonly isBusy: boolean;
  refresh(): void;
};

export type FoundOptions = {
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly isCut: boolean;
  /** The error message as a sentence. */
  readonly problem?: string;
};

export type FormGroup = {
  readonly id: string;
  readonly title: string;
  readonly blocks: readonly FormBlock[];
};

export type FormBlock = {
  readonly id: string;
  readonly type: string;
  /** The name of the block's type. */
  readonly name: string;
  /** Returns the block's text as one line, or an empty text. */
  says(): string;
};

/**
 * Sets the value at a path; an undefined value removes the key. For typed text, `over` is the field's previous text,
 * because other people may have edited the text since.
 */
export type OnSet = (path: Path, value: unknown, over?: TypedOver) => void;

export type TypedOver = { readonly text: unknown };

export type FieldsProps = {
  readonly schema: FieldSchema;
  readonly value: unknown;
  readonly path: Path;
  readonly around: readonly Around[];
  /** If present, only these fields of the object are rendered. */
  readonly only?: readonly string[] | undefined;
  /** Whether keys that are missing from the schema are rendered in addition to `only`. */
  readonly hasUnknown?: boolean | undefined;
  /** Whether the object is the block itself, whose parts do not form sections. */
  readonly isRoot?: boolean;
  /** Whether the fields are below a layout, which collapses all of them together. */
  readonly isRest?: boolean;
};

export type FieldProps = Omit<FieldsProps, "isRoot" | "isRest" | "only" | "hasUnknown"> & {
  /** The widget that renders the field instead of the default widget. */
  readonly as?: WidgetName | undefined;
};

/** The properties of every widget: its field, and the function that sets the value. */
export type WidgetProps = {
  readonly schema: FieldSchema;
  /** Undefined if the stored value is absent or null. */
  readonly value: unknown;
  readonly path: Path;
  /** The objects around the field, from the outermost to the innermost. */
  readonly around: readonly Around[];
  readonly set: (value: unknown, over?: TypedOver) => void;
};
