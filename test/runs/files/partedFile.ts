/** Bytes per read. */
export const PART = 1 << 22

/** A file that records which ranges were read. `size` is its claimed size, if that differs. */
export function partedFile(content: string, size?: number) {
  const blob = new Blob([content])
  const read: (readonly [from: number, to: number])[] = []
  const slice = (from: number, to: number) => {
    read.push([from, to])
    return blob.slice(from, to)
  }
  return { file: { size: size ?? blob.size, slice } as Blob, read, size: blob.size }
}
