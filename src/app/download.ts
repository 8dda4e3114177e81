/** Hands text or bytes to the person as a file. Text may come in parts, so that a long trace never makes one string. */
export function download(name: string, parts: Iterable<string> | Blob, type = 'application/json'): void {
  const blob = parts instanceof Blob ? parts : new Blob([...parts], { type })
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
  return `${stem === '' ? 'apportion' : stem}${ending}`
}
