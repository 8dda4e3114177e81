/** So long the page may be kept from drawing while a file is put together. */
const STRETCH_MS = 25

/**
 * Hands text or bytes to the person as a file. Text may come in parts, so that a long trace never makes one string, and is
 * put together in stretches, so that the page goes on meanwhile.
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

/** A title as part of a file's name. */
export function fileName(title: string, ending: string): string {
  const stem = title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
  return `${stem === '' ? 'apportion' : stem}${devices.test(stem) ? '-' : ''}${ending}`
}

/** By these names Windows knows devices, whatever stands behind a dot. */
const devices = /^(con|prn|aux|nul|com\d|lpt\d)$/

/** Parts of a text as one file, put together in stretches. */
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
