export { Form } from "./form.tsx";
export { JsonForm } from "./json-form.tsx";
export * from "./reading.ts";
