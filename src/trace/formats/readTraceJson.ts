import { t } from '../../language/translate.ts'
import { toUtf8 } from '../../scenario/link/bytes.ts'
import type { Problem } from '../../scenario/model/scenario.ts'
import { checked } from '../../scenario/parse/checked.ts'
import { parse } from '../../scenario/parse/parse.ts'
import { createJsonBytes, feed, isAtEnd, readingPlace } from '../json/jsonBytes.ts'
import { Refusal } from '../json/refusal.ts'
import type { Trace } from '../trace.ts'
import { checkHead, readTraceColumns, type TraceFile } from './readColumns.ts'
import { traceOf } from './traceOfColumns.ts'

export type TraceRead = { readonly trace: Trace } | { readonly problems: readonly Problem[] }

/** Takes the bytes of a trace, UTF-8, in parts. */
export interface TraceReader {
  /** Returns false when nothing more is needed, because there is a problem already. */
  push(part: Uint8Array): boolean
  /** Returns the trace, or what is wrong with it. `progress` is called now and then with the share of checked rows. */
  end(progress?: (share: number) => void): TraceRead
}

/**
 * Returns a reader of what `writeTraceJson` writes. It gives the same trace, digit for digit, or names what is wrong and where.
 * No row is accepted that could not follow those before it. The columns are read into columns, so a file of 100 MB never
 * becomes a tree of objects. Never throws.
 */
export function createTraceReader(): TraceReader {
  const json = createJsonBytes()
  const reading = readTraceColumns(json)
  let file: TraceFile | null = null
  let problems: readonly Problem[] | null = null

  function go(): void {
    try {
      if (file === null) {
        const step = reading.next()
        if (step.done) file = step.value
      }
      if (file !== null && !isAtEnd(json)) throw new Refusal('', t('more stands behind the trace, at {json}', { json: readingPlace(json) }))
    } catch (error) {
      problems = problemsOf(error)
    }
  }

  return {
    push(part) {
      if (problems !== null) return false
      feed(json, json.before + json.length === 0 ? withoutMark(part) : part)
      go()
      return problems === null
    },
    end(progress = () => {}) {
      json.over = true
      while (problems === null && file === null) go()
      if (problems !== null) return { problems }
      try {
        if (file === null) throw new Refusal('', t('the trace is empty'))
        const parsed = parse(file.found.scenario)
        if ('problems' in parsed)
          return { problems: parsed.problems.map(({ path, message }) => ({ path: path === '' ? 'scenario' : `scenario.${path}`, message })) }
        const head = checked(checkHead(parsed.scenario), file.found)
        return 'problems' in head ? head : { trace: traceOf(file, head.value, parsed.scenario, progress) }
      } catch (error) {
        return { problems: problemsOf(error) }
      }
    },
  }
}

/** Reads a whole text. */
export function readTraceJson(text: string): TraceRead {
  const reader = createTraceReader()
  reader.push(toUtf8(text))
  return reader.end()
}

/** Some editors write a byte order mark first. */
function withoutMark(part: Uint8Array): Uint8Array {
  return part[0] === 0xef && part[1] === 0xbb && part[2] === 0xbf ? part.subarray(3) : part
}

function problemsOf(error: unknown): readonly Problem[] {
  if (error instanceof Refusal) return [{ path: error.path, message: error.message }]
  return [{ path: '', message: t('the trace cannot be read; allowed: plain JSON as Download trace writes it') }]
}
