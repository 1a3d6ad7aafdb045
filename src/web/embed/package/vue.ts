import { type Component, defineComponent, h, onMounted, shallowRef, watchEffect } from "vue";
import { configure, loadParley, optionNames, type ParleyOptions } from "./index.ts";

export type ParleyProps = ParleyOptions & {
  /** Called if the service's script could not be loaded. */
  readonly onLoadError?: (error: unknown) => void;
};

function component(name: string): Component<ParleyProps> {
  const setup = (props: ParleyProps) => {
    const element = shallowRef<HTMLElement>();
    onMounted(() => {
      watchEffect(() => loadParley(props).catch(props.onLoadError ?? reportError));
      watchEffect(() => element.value && configure(element.value, props));
    });
    return () => h(name, { ref: element });
  };
  return defineComponent(setup, { name, props: [...optionNames, "onLoadError"] });
}

/** A chat within the page. */
export const ParleyChat = component("parley-chat");
/** A button in the corner of the page, with a chat above the button. */
export const ParleyBubble = component("parley-bubble");
/** A chat in a dialog over the page. */
export const ParleyPopup = component("parley-popup");
