import { t } from '../../../language/translate.ts'
import { readable } from './readable.ts'

/** How many bytes are read to tell text from anything else. */
const LOOKED_AT = 65_536

/** Returns which files may be dropped or chosen. */
export const ALLOWED_FILES = () => t('a scenario or a trace (JSON), a log (CSV or JSON), or a UTF-8 text file with one JSON record a line')

/** Returns why this page cannot read a file, or null. A type such as an image is refused; any other file must be UTF-8 text without NUL, whatever its name. */
export async function unreadableReason(file: File): Promise<string | null> {
  const [kind] = /^(image|audio|video|font)(?=\/)|^application\/(zip|pdf|gzip|x-gzip|x-tar)$/.exec(file.type) ?? []
  if (kind !== undefined) return refusal(file.name, kinds()[kind] ?? t('a file of the kind {kind}', { kind }))
  let head: ArrayBuffer
  try {
    head = await file.slice(0, LOOKED_AT).arrayBuffer()
  } catch {
    // A dropped folder fails only when it is read.
    return refusal(file.name, t('a folder, or a file that the browser may not read'))
  }
  return isText(new Uint8Array(head)) ? null : refusal(file.name, t('no text in UTF-8'))
}

const kinds = (): Readonly<Record<string, string>> => ({ image: t('a picture'), audio: t('a sound'), video: t('a film'), font: t('a font') })

function refusal(name: string, what: string): string {
  return t('{name} is {what}; allowed: {ALLOWED_FILES}.', { name: readable(name), what, ALLOWED_FILES: ALLOWED_FILES() })
}

function isText(bytes: Uint8Array): boolean {
  try {
    // `stream`: the last character may be cut off.
    return !new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true }).includes('\0')
  } catch {
    return false
  }
}
