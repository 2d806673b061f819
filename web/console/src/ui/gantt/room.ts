/**
 * Gap is a free stretch of a row, in a tree that is ordered by the beginnings of gaps and balanced by their weights.
 */
interface Gap {
  from: number;
  to: number;
  weight: number;
  /** The largest gap of this one and those below it. */
  largest: number;
  left: Gap | undefined;
  right: Gap | undefined;
}

/**
 * Room is the free space along a row without an end. Taking and giving back take logarithmic time. Amounts must add up
 * exactly.
 */
export class Room {
  /** Number of gaps that were visited. */
  looks = 0;
  private made = 0;
  private gaps: Gap | undefined = this.gap(0, Infinity);

  /** Takes an amount: from home on if that is free, or else as low as it fits. Returns its position. */
  take(size: number, home = -1): number {
    const around = this.last(home);
    const fits = around !== undefined && home + size <= around.to;
    const { from, to } = fits ? around : this.lowest(size);
    const at = fits ? home : from;
    this.remove(from);
    if (from < at) this.insert(from, at);
    if (at + size < to) this.insert(at + size, to);
    return at;
  }

  /** Gives back an amount that was taken. */
  give(at: number, size: number) {
    const before = this.last(at);
    const after = this.last(at + size);
    const from = before?.to === at ? before.from : at;
    const to = after?.from === at + size ? after.to : at + size;
    if (before && from < at) this.remove(before.from);
    if (after && to > at + size) this.remove(after.from);
    this.insert(from, to);
  }

  /** Returns the last gap that begins at or before a position. */
  private last(at: number): Gap | undefined {
    let found: Gap | undefined;
    for (let it = this.gaps; it; it = it.from <= at ? it.right : it.left) {
      this.looks++;
      if (it.from <= at) found = it;
    }
    return found;
  }

  /** Returns the first gap of that size. The last gap has no end. */
  private lowest(size: number): Gap {
    let it = this.gaps!;
    for (;;) {
      this.looks++;
      if (it.left && it.left.largest >= size) it = it.left;
      else if (it.to - it.from >= size) return it;
      else it = it.right!;
    }
  }

  private insert(from: number, to: number) {
    const [before, after] = this.split(this.gaps, from);
    this.gaps = this.join(this.join(before, this.gap(from, to)), after);
  }

  private remove(from: number) {
    const [before, rest] = this.split(this.gaps, from);
    this.gaps = this.join(before, this.withoutFirst(rest!));
  }

  private withoutFirst(tree: Gap): Gap | undefined {
    this.looks++;
    if (!tree.left) return tree.right;
    tree.left = this.withoutFirst(tree.left);
    return measured(tree);
  }

  /** Splits a tree into the gaps that begin before a position, and the others. */
  private split(tree: Gap | undefined, at: number): [Gap | undefined, Gap | undefined] {
    if (!tree) return [undefined, undefined];
    this.looks++;
    if (tree.from < at) {
      const [before, after] = this.split(tree.right, at);
      tree.right = before;
      return [measured(tree), after];
    }
    const [before, after] = this.split(tree.left, at);
    tree.left = after;
    return [before, measured(tree)];
  }

  private join(before: Gap | undefined, after: Gap | undefined): Gap | undefined {
    if (!before || !after) return before ?? after;
    this.looks++;
    if (before.weight > after.weight) before.right = this.join(before.right, after);
    else after.left = this.join(before, after.left);
    return measured(before.weight > after.weight ? before : after);
  }

  /** Weights are distributed evenly, whatever the order of positions. */
  private gap(from: number, to: number): Gap {
    return { from, to, weight: Math.imul(++this.made, 0x9e3779b1), largest: to - from, left: undefined, right: undefined };
  }
}

function measured(gap: Gap): Gap {
  gap.largest = Math.max(gap.to - gap.from, gap.left?.largest ?? 0, gap.right?.largest ?? 0);
  return gap;
}
