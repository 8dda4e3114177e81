import { t } from '../../language/translate.ts'
import { sha256Hex } from './checksum.ts'

/** Larger files are refused, since input and output are held in memory, briefly twice. */
export const MAX_BYTES = 100_000_000

export interface Splitter {
  /** Returns the lines that end in this piece. */
  push(piece: string): string[]
  /** Returns the line after the last line feed, if there is one. */
  end(): string[]
}

/** Lines end with a line feed or a carriage return and a line feed. Blank lines are left out. */
export function createSplitter(): Splitter {
  let rest = ''
  const kept = (lines: string[]) => lines.map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line)).filter((line) => line.trim() !== '')
  return {
    push(piece) {
      if (!piece.includes('\n')) {
        rest += piece
        return []
      }
      const lines = (rest + piece).split('\n')
      rest = lines.pop() ?? ''
      return kept(lines)
    },
    end() {
      const last = rest
      rest = ''
      return kept([last])
    },
  }
}

/** Returns the lines of a UTF-8 text file, without line ends and byte order mark. Rejects with a message for users if there are more than `most`. */
export async function readLines(file: Blob, most: number): Promise<string[]> {
  if (file.size > MAX_BYTES) throw new Error(t('the file has {size} bytes; allowed: {MAX_BYTES}', { size: file.size, MAX_BYTES }))
  const decoder = new TextDecoder()
  const splitter = createSplitter()
  const lines: string[] = []
  const take = (found: string[]) => {
    for (const line of found) lines.push(line)
    if (lines.length > most) throw new Error(t('the file has more than {most} lines; allowed: {most}', { most }))
  }
  const reader = file.stream().getReader()
  for (let next = await reader.read(); !next.done; next = await reader.read()) take(splitter.push(decoder.decode(next.value, { stream: true })))
  take(splitter.push(decoder.decode()))
  take(splitter.end())
  return lines
}

/** What a scenario tells of its file: the number of lines, and the SHA-256 of the bytes, or '' where the browser has none. */
export type FileFacts = { readonly jobs: number; readonly digest: string }

export async function countTextLines(file: Blob, most: number): Promise<FileFacts> {
  const lines = await readLines(file, most)
  return { jobs: lines.length, digest: await fileDigest(file) }
}

export async function fileDigest(file: Blob): Promise<string> {
  return sha256Hex(await file.arrayBuffer())
}
