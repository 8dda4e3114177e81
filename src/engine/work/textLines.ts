import { t } from '../../language/translate.ts'
import { sha256Hex } from './checksum.ts'

/** Larger files are refused: input and output are held in memory, twice for a moment. */
export const MAX_BYTES = 100_000_000

/** Cuts text that comes in pieces into lines. */
export interface Splitter {
  /** The lines that this piece ends. */
  push(piece: string): string[]
  /** What stands after the last line feed, if anything does. */
  end(): string[]
}

/** Lines end with a line feed, with or without a carriage return before it; lines with nothing but spaces are left out. */
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

/**
 * The lines of a text file in UTF-8, without their ends; a byte order mark is no part of the first.
 *
 * @param most throws an Error as soon as there are more
 */
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

/** What a scenario says of a file: how many lines, and the SHA-256 of its bytes; '' where the browser offers none. */
export interface FileFacts {
  readonly jobs: number
  readonly digest: string
}

export async function countTextLines(file: Blob, most: number): Promise<FileFacts> {
  const lines = await readLines(file, most)
  return { jobs: lines.length, digest: await fileDigest(file) }
}

/** '' where the browser offers no SHA-256. */
export async function fileDigest(file: Blob): Promise<string> {
  return sha256Hex(await file.arrayBuffer()).catch(() => '')
}
