/** How long building a file may block the page at a time. */
const STRETCH_MS = 25

/**
 * Downloads text or bytes as a file. Text may come in parts, so that a long trace is never one string; they are joined in slices, so that
 * the page does not freeze.
 */
export async function download(name: string, content: Iterable<string> | Blob, type = 'application/json'): Promise<void> {
  const blob = content instanceof Blob ? content : await joinedNames(content, type)
  const link = document.createElement('a')
  const url = URL.createObjectURL(blob)
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

/** Letters of a file name without its ending. Each takes at most four bytes, and file systems take 255 in all. */
const MOST_LETTERS = 55

/** Returns a file name made of a title: its letters and digits, of any script. */
export function fileName(title: string, ending: string): string {
  const words = title
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
  const stem = Array.from(words)
    .slice(0, MOST_LETTERS)
    .join('')
    .replace(/^-+|-+$/g, '')
  return `${stem === '' ? 'apportion' : stem}${devices.test(stem) ? '-' : ''}${ending}`
}

/** Names of devices in Windows, with any extension. */
const devices = /^(con|prn|aux|nul|com\d|lpt\d)$/

/** Returns parts of a text as one file, joined in slices. */
export async function joinedNames(parts: Iterable<string>, type: string): Promise<Blob> {
  const blobs: Blob[] = []
  let texts: string[] = []
  let since = performance.now()
  for (const part of parts) {
    texts.push(part)
    if (performance.now() - since < STRETCH_MS) continue
    blobs.push(new Blob(texts))
    texts = []
    await new Promise((resolve) => setTimeout(resolve))
    since = performance.now()
  }
  return new Blob([...blobs, ...texts], { type })
}
