export { Announcer, announce } from "./announcer.tsx";
export { Button, type ButtonProps, IconButton, type IconButtonProps } from "./button.tsx";
export { Checkbox, type CheckboxProps, Segments, Switch } from "./choice.tsx";
export { Combobox, type ComboboxOption, type ComboboxProps, matching } from "./combobox.tsx";
export { ConfirmDialog, type ConfirmDialogProps, Dialog, type DialogProps } from "./dialog.tsx";
export {
  Field,
  FieldError,
  type FieldProps,
  Select,
  type SelectOption,
  type SelectProps,
  TextArea,
  type TextAreaProps,
  TextField,
  type TextFieldProps,
  useField,
} from "./field.tsx";
export { bestFits, folded, type Searched } from "./fits.ts";
export { Floating, type FloatingProps } from "./floating/floating.tsx";
export { Menu, type MenuItem, MenuList, type MenuProps, useContextMenu } from "./floating/menu.tsx";
export { useOfferedNames } from "./floating/offered-names.tsx";
export type { Anchor } from "./floating/placing.ts";
export { Popover, type PopoverProps } from "./floating/popover.tsx";
export { Form } from "./form.tsx";
export { Icon, type IconProps } from "./icon.tsx";
export { addIcons, type IconNode } from "./icons.ts";
export { keysText } from "./keys.ts";
export { later, laterWithField } from "./later.tsx";
export { Badge, Banner, type BannerProps, EmptyState, type EmptyStateProps, Skeleton, type Tone } from "./states.tsx";
export { type Column, type Sort, Table, type TableProps } from "./table.tsx";
export { type Tab, Tabs, type TabsProps } from "./tabs.tsx";
export { Toast, type ToastAction, Toasts, toast } from "./toast.tsx";
export { Tree, type TreeNode, type TreeProps } from "./tree.tsx";
