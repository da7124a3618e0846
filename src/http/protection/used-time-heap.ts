// A binary heap of clients: the one that has used the least time is first.

export interface HeapItem {
  used: number;
  /** Its position in the heap; -1: it is not in it. */
  position: number;
}

export class UsedTimeHeap<T extends HeapItem> {
  readonly #items: T[] = [];

  get size(): number {
    return this.#items.length;
  }

  get first(): T | undefined {
    return this.#items[0];
  }

  /** Adds the item, or finds its new position after it has used more time. */
  put(item: T): void {
    if (item.position < 0) {
      item.position = this.#items.length;
      this.#items.push(item);
    }
    this.#up(item);
    this.#down(item);
  }

  remove(item: T): void {
    const { position } = item;
    if (position < 0) return;
    item.position = -1;
    const last = this.#items.pop()!; // the item is in the heap
    if (last === item) return;
    this.#place(last, position);
    this.put(last);
  }

  #place(item: T, position: number): void {
    this.#items[position] = item;
    item.position = position;
  }

  #up(item: T): void {
    while (item.position > 0) {
      const parent = this.#items[(item.position - 1) >> 1]!;
      if (parent.used <= item.used) return;
      const { position } = parent;
      this.#place(parent, item.position);
      this.#place(item, position);
    }
  }

  #down(item: T): void {
    for (;;) {
      const left = 2 * item.position + 1;
      const [one, other] = [this.#items[left], this.#items[left + 1]];
      const child = other !== undefined && other.used < one!.used ? other : one;
      if (child === undefined || child.used >= item.used) return;
      const { position } = child;
      this.#place(child, item.position);
      this.#place(item, position);
    }
  }
}
