import dagre from '@dagrejs/dagre';
import type { Step } from '../../api/workflows';

/** Size of the box of a task, in pixels. */
export const box = { width: 168, height: 46 };

/** A drawn graph: boxes by their upper left corners, lines through points. */
export interface Drawing {
  width: number;
  height: number;
  tasks: { step: Step; x: number; y: number }[];
  lines: { from: string; to: string; when: string; points: { x: number; y: number }[] }[];
}

/** The most lines that are drawn: laying out more takes seconds. */
export const mostLines = 300;

/** Reports whether a graph is small enough to be drawn. */
export const drawable = (steps: Step[]) => steps.reduce((sum, it) => sum + it.after.length, 0) <= mostLines;

/** Lays the tasks of a workflow out from left to right, each after those that it waits for. */
export function layout(steps: Step[]): Drawing {
  const graph = new dagre.graphlib.Graph();
  graph.setGraph({ rankdir: 'LR', nodesep: 18, ranksep: 56, marginx: 8, marginy: 8 });
  graph.setDefaultEdgeLabel(() => ({}));
  const known = new Set(steps.map((it) => it.name));
  for (const step of steps) graph.setNode(step.name, { ...box });
  const waits = steps.flatMap((step) => step.after.map((word) => ({ to: step.name, ...parts(word) }))).filter((it) => known.has(it.from));
  for (const wait of waits) graph.setEdge(wait.from, wait.to);
  dagre.layout(graph);
  const { width = 0, height = 0 } = graph.graph();
  return {
    width, height,
    tasks: steps.map((step) => {
      const { x, y } = graph.node(step.name);
      return { step, x: x - box.width / 2, y: y - box.height / 2 };
    }),
    lines: waits.map((wait) => ({ ...wait, points: graph.edge(wait.from, wait.to).points })),
  };
}

/** Splits a word like make:failed. */
export function parts(word: string): { from: string; when: string } {
  const [from = '', when = 'succeeded'] = word.split(':');
  return { from, when };
}
