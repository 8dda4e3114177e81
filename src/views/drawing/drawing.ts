/** A picture in an element of the page, its host. It draws only when it is asked to, and shows the data of the last `update`. */
export interface Drawing<Data> {
  update(data: Data): void
  /** Measures the host again and draws everything again: its size has changed, or the fonts have arrived. */
  resize(): void
  destroy(): void
}

/** The inside of the host, in pixels of the page. */
export type HostSize = { readonly width: number; readonly height: number }

/** Returns a drawing. `draw` gets the size of the host and the data drawn before: null at first and after a resize. `end` runs when it is destroyed. */
export function createDrawing<Data>(
  host: Element,
  draw: (data: Data, size: HostSize, before: Data | null) => void,
  end: () => void = () => {},
): Drawing<Data> {
  let size: HostSize | null = null
  let last: Data | null = null
  function update(data: Data): void {
    // Asked for once: asking in the middle of a frame makes the browser lay the page out twice.
    size ??= { width: host.clientWidth, height: host.clientHeight }
    const before = last
    last = data
    draw(data, size, before)
  }
  return {
    update,
    resize() {
      const data = last
      size = null
      last = null
      if (data !== null) update(data)
    },
    destroy() {
      end()
      host.replaceChildren()
    },
  }
}

/** Returns a function that returns whether its arguments differ from those of its last call, such as the inputs of a picture. */
export function createChangeCheck(): (...parts: readonly unknown[]) => boolean {
  let last: readonly unknown[] = []
  return (...parts) => {
    const changed = !sameParts(parts, last)
    last = parts
    return changed
  }
}

/** Returns whether two lists hold the same values, such as the inputs of a picture then and now. */
export function sameParts(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((part, k) => part === b[k])
}
