import { later } from "../ui/index.ts";
import type { CaretsProps } from "./carets.tsx";
import type { FieldCaretsProps } from "./field-carets.tsx";
import "./people.css";

type Maybe<Props> = { readonly [Key in keyof Props]: Props[Key] | undefined };

const Carets = later(async () => (await import("./carets.tsx")).Carets);
const FieldCarets = later(async () => (await import("./field-carets.tsx")).FieldCarets);

/** Shows other people's carets above an open text. Their code is loaded only when another person is in the text. */
export function PeopleInText({ shared, face }: Maybe<CaretsProps>) {
  return shared && face && shared.hasOthers() ? <Carets shared={shared} face={face} /> : null;
}

/** Like `PeopleInText`, for a native field. */
export function PeopleInField({
  shared,
  box,
}: Maybe<Pick<FieldCaretsProps, "shared">> & Pick<FieldCaretsProps, "box">) {
  return shared?.hasOthers() ? <FieldCarets shared={shared} box={box} /> : null;
}
