import type { ReadonlySignal } from "@preact/signals";
import type { ComponentChildren, FunctionComponent } from "preact";
import type { WayOutName } from "../../../core/interpreter/schemas/own-keys.ts";
import type { UploadOptions } from "../api/upload.ts";
import type { SharedText } from "../presence/shared-text.ts";
import type { FieldSchema } from "./schema.ts";
import type { Common } from "./several.ts";
import type { Around, Path } from "./values.ts";
import type { WidgetName } from "./widget-of.ts";

/** The context of a form. If its functions read signals, the form is drawn again when the signals change. */
export type FormContext = {
  readonly variables: ReadonlySignal<readonly { readonly id: string; readonly name: string }[]>;
  /** Creates a variable, and returns its id. */
  makeVariable(name: string): string;
  groups(): readonly FormGroup[];
  /** The groups of another bot; undefined until they are loaded, and null if they cannot be read. */
  groupsOf?(botId: string): readonly FormGroup[] | null | undefined;
  bots(): readonly { readonly id: string; readonly name: string }[];
  /** Credentials of a type; without a type, all credentials. */
  credentials(type?: string): readonly { readonly id: string; readonly name: string }[];
  /** The models of some credentials. Absent: none can be listed. */
  models?(credentialsId: string): ModelNames;
  /**
   * The dialog that makes credentials of a type; without a type, of any type. Absent if this person cannot make any.
   */
  newCredentials?(making: {
    readonly type: string | undefined;
    readonly onMade: (id: string) => void;
    readonly onClose: () => void;
  }): ComponentChildren;
  readonly isReadOnly: boolean;
  /** For a form of several things: the fields with different values, and these values. */
  readonly mixed?: Common["mixed"];
  /**
   * Uploads a file for the bot's visitors, and returns its address; throws an `ApiFailure` on failure. Absent if
   * nothing can be uploaded.
   */
  upload?(file: File, options: UploadOptions): Promise<string>;
  /** The existing files of the workspace, the newest first. Absent if none can be chosen. */
  library?(): Promise<readonly LibraryFile[]>;
  /** The greatest size of a file. */
  readonly uploadMegabytes?: number | undefined;
  /** The service's problems with values, by their paths joined with dots: `options.labels.button`. */
  errors?(): ReadonlyMap<string, string>;
  /** The text at a path, if others may edit it. The same path has the same text only while its field uses it. */
  sharedText?(path: Path): SharedText;
  /** For the form of one block: its ways out by their names, and the groups that they lead to. */
  readonly waysOut?: {
    /** The id of a group; undefined if the outlet leads nowhere. */
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
   * For the form of one block: requests the options of a field from its service, by the field's path below `options`
   * without positions in lists. Undefined until they arrive. `again`: ignores the known options.
   */
  remoteOptions?(field: string, dependsOn: readonly string[]): RemoteOptions;
  /** For the form of one block that calls out: sends its call, and shows the answer. */
  readonly Trial?: FunctionComponent<TrialProps>;
  /** For the form of one input: checks a reply against its rules. */
  readonly Check?: FunctionComponent;
  /** For the form of one bubble: puts a block of a type below it. */
  follow?(type: FollowingType): void;
  /**
   * The content below a field: a decision that the field waits for. `isWhole`: the field draws everything inside its
   * value.
   */
  below?(path: Path, options: { readonly isWhole: boolean }): ComponentChildren;
};

export type LibraryFile = { readonly id: string; readonly name: string; readonly type: string; readonly url: string };

/** The blocks that most often follow a text. */
export const followingTypes = ["text input", "choice input", "image"] as const;
export type FollowingType = (typeof followingTypes)[number];

export type TrialProps = {
  /** The trial sends the block's letter to the author. */
  readonly isMail?: boolean | undefined;
  /** How often a button elsewhere has requested a send: each request sends once. Absent: the trial has a button. */
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
  /** A sentence. */
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
  /** The block's text in one line; empty if it has none. */
  says(): string;
};

/**
 * Without a value the key is removed. For typed text, `over` is the field's previous text: others may have edited it
 * since.
 */
export type OnSet = (path: Path, value: unknown, over?: TypedOver) => void;

export type TypedOver = { readonly text: unknown };

/** The fields of an object. */
export type FieldsProps = {
  readonly schema: FieldSchema;
  readonly value: unknown;
  readonly path: Path;
  readonly around: readonly Around[];
  /** Only these fields of the object. */
  readonly only?: readonly string[] | undefined;
  /** Whether keys that the schema does not contain are drawn beside `only`. */
  readonly hasUnknown?: boolean | undefined;
  /** The parts of a block do not form sections of their own. */
  readonly isRoot?: boolean;
  /** The fields follow a layout: all of them are folded together. */
  readonly isRest?: boolean;
};

export type FieldProps = Omit<FieldsProps, "isRoot" | "isRest" | "only" | "hasUnknown"> & {
  /** The widget that draws the field, in place of the default one of its kind. */
  readonly as?: WidgetName | undefined;
};

/** The properties of every widget: its field, and the function to set it. */
export type WidgetProps = {
  readonly schema: FieldSchema;
  /** Undefined if nothing is stored, or null. */
  readonly value: unknown;
  readonly path: Path;
  /** The objects around the field, from the outside in. */
  readonly around: readonly Around[];
  readonly set: (value: unknown, over?: TypedOver) => void;
};
