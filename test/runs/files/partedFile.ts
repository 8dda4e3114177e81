/** Bytes that a reader of files takes at a time. */
export const PART = 1 << 22

/** A file that remembers which stretches of it were read; `size` is what it says of itself, if that is not true. */
export function partedFile(content: string, size?: number) {
  const blob = new Blob([content])
  const read: (readonly [from: number, to: number])[] = []
  const slice = (from: number, to: number) => {
    read.push([from, to])
    return blob.slice(from, to)
  }
  return { file: { size: size ?? blob.size, slice } as Blob, read, size: blob.size }
}
