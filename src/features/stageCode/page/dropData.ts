import { readable } from '../../../app/base/browser/files.ts'
import { closeRun } from '../../../app/session/run/opening.ts'
import { runStore } from '../../../app/session/run/runStore.ts'
import { editOrShowProblems } from '../../../app/session/scenario/scenarioStore.ts'
import type { Session } from '../../../app/session/session.ts'
import { t } from '../../../language/translate.ts'
import { setSource } from '../../../scenario/edit/edits.ts'
import { MAX_VALUE_TEXT, MAX_VALUES } from '../../../scenario/model/limits.ts'

/** Returns whether the data of a file become the values of a scenario whose stages have code. A larger file becomes lines, with its checksum. */
export async function isData(file: File): Promise<boolean> {
  if (file.size > MAX_VALUE_TEXT) return false
  const values = valuesIn(file.name, await file.text())
  return values.length > 0 && values.length <= MAX_VALUES && JSON.stringify(values).length <= MAX_VALUE_TEXT
}

export async function openData(session: Session, file: File): Promise<void> {
  const values = valuesIn(file.name, await file.text())
  if (!editOrShowProblems(session, (now) => setSource(now, { kind: 'values', values }))) return
  closeRun(session)
  const name = readable(file.name)
  runStore(session).setState({
    status: () =>
      t('{n, plural, one {# value of {name} is} other {# values of {name} are}} ready. Press Run.', {
        n: values.length,
        name,
      }),
  })
}

/** Returns the data of a file: the items of a JSON list, the rows of a CSV as objects by its heads, or the lines of a text. */
export function valuesIn(name: string, text: string): readonly unknown[] {
  const plain = text.replace(/^\ufeff/, '')
  if (/\.csv$/i.test(name)) return csvRows(plain)
  if (/^\s*\[/.test(plain)) {
    try {
      return JSON.parse(plain) as unknown[]
    } catch {
      // Lines of text may begin with a bracket too.
    }
  }
  return plain.split(/\r\n|\r|\n/).filter((line) => line.trim() !== '')
}

/** Returns the rows of a CSV (RFC 4180) as objects. Cells stay text. */
function csvRows(text: string): readonly unknown[] {
  const rows: string[][] = [[]]
  // A cell in quotes, in which quotes are doubled, or a plain cell, and then the comma or the line break.
  for (const [whole, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^,\r\n]*))(,|\r\n|\r|\n|$)/g)) {
    if (whole === '' && rows[rows.length - 1].length === 0) break
    rows[rows.length - 1].push(quoted === undefined ? plain : quoted.replaceAll('""', '"'))
    if (end === '') break
    if (end !== ',') rows.push([])
  }
  const [heads = [], ...body] = rows.filter((cells) => cells.length > 1 || (cells[0] ?? '') !== '')
  return body.map((cells) => Object.fromEntries(heads.map((head, k) => [head, cells[k] ?? ''])))
}
