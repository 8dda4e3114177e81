/** How long building a file may block the page at a time. */
const STRETCH_MS = 25

/**
 * Downloads text or bytes as a file. Text may come in parts, so that a long trace is never one string; they are joined in slices, so that
 * the page does not freeze.
 */
export async function download(
  name: string,
  content: Iterable<string> | Blob,
  type = 'application/json',
): Promise<void> {
  const blob = content instanceof Blob ? content : await joinedText(content, type)
  const link = document.createElement('a')
  const url = URL.createObjectURL(blob)
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

/** Letters of a file name without its ending. Each takes at most four bytes, and file systems take 255 in all. */
const MAX_LETTERS = 55

/** Returns a file name made of a title: its letters and digits, of any script. */
export function fileName(title: string, ending: string): string {
  const words = title
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
  const stem = Array.from(words)
    .slice(0, MAX_LETTERS)
    .join('')
    .replace(/^-+|-+$/g, '')
  return `${stem === '' ? 'apportion' : stem}${devices.test(stem) ? '-' : ''}${ending}`
}

/** Names of devices in Windows, with any extension. */
const devices = /^(con|prn|aux|nul|com\d|lpt\d)$/

export async function joinedText(parts: Iterable<string>, type: string): Promise<Blob> {
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

/** More than four combining marks on one letter. */
const piled = /(\p{M}{4})\p{M}+/gu

/** Returns text from a file made safe to show: short, with dots for characters that are invisible or turn the text direction. */
export function readable(text: string, maxLength = 90): string {
  const visible = text
    .slice(0, 10 * maxLength)
    .replace(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]+/gu, '·')
    .replace(piled, '$1')
  const points = Array.from(visible)
  return points.length > maxLength ? `${points.slice(0, maxLength).join('')}…` : visible
}

export function chooseFile(take: (file: File) => unknown): void {
  const chooser = document.createElement('input')
  chooser.type = 'file'
  chooser.addEventListener('change', () => {
    const [file] = chooser.files ?? []
    if (file !== undefined) take(file)
  })
  chooser.click()
}
