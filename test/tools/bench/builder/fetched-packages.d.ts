// What `react-flow-page.ts` uses of packages that are no dependencies of ours: the benchmark fetches them into a folder
// of its own.

declare module "@xyflow/react" {
  import type { FunctionComponent } from "react";

  export type Node = {
    readonly id: string;
    readonly selected?: boolean;
    readonly [key: string]: unknown;
  };
  export type Instance = {
    setNodes(nodes: readonly Node[] | ((nodes: readonly Node[]) => readonly Node[])): void;
    setViewport(viewport: { x: number; y: number; zoom: number }): Promise<boolean>;
  };
  export type Props = {
    readonly defaultNodes: readonly Node[];
    readonly defaultEdges: readonly unknown[];
    readonly defaultViewport: { x: number; y: number; zoom: number };
    readonly nodeTypes: Readonly<Record<string, unknown>>;
    readonly onlyRenderVisibleElements: boolean;
    readonly minZoom: number;
    readonly maxZoom: number;
    readonly panOnScroll: boolean;
    readonly panOnScrollSpeed: number;
    onInit(instance: Instance): void;
  };
  export const ReactFlow: FunctionComponent<Props>;
  export const Handle: FunctionComponent<{ readonly type: "source" | "target"; readonly position: string }>;
  export const Position: { readonly Left: string; readonly Right: string };
}

declare module "@xyflow/react/dist/style.css";

declare module "react-dom/client" {
  import type { ReactNode } from "react";

  export function createRoot(element: Element): { render(node: ReactNode): void };
}
