export { Announcer, announce } from "./announcer.tsx";
export { Button, IconButton } from "./button.tsx";
export { Checkbox, Segments, Switch } from "./choice.tsx";
export { Combobox, type ComboboxOption } from "./combobox.tsx";
export { ConfirmDialog, Dialog } from "./dialog.tsx";
export {
  Field,
  FieldError,
  type FieldProps,
  Select,
  type SelectOption,
  TextArea,
  TextField,
  type TextFieldProps,
  useField,
} from "./field.tsx";
export { bestFits, folded } from "./fits.ts";
export { Menu, type MenuItem, MenuList, useContextMenu } from "./floating/menu.tsx";
export { useOfferedNames } from "./floating/offered-names.tsx";
export type { Anchor } from "./floating/placing.ts";
export { Popover } from "./floating/popover.tsx";
export { Form } from "./form.tsx";
export { familyClass, Icon, Tile } from "./icon.tsx";
export { addIcons } from "./icons.ts";
export { keysText } from "./keys.ts";
export { later, laterWithField } from "./later.tsx";
export { rememberFocus } from "./remember-focus.ts";
export { Badge, Banner, EmptyState, Skeleton, type Tone } from "./states.tsx";
export { type Column, type Sort, Table, type TableProps } from "./table.tsx";
export { Tabs } from "./tabs.tsx";
export { Toasts, toast } from "./toast.tsx";
export { Tree, type TreeNode } from "./tree.tsx";
