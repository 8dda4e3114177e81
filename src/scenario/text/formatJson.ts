/** The greatest width, where a line can be broken. */
const WIDTH = 70
const STEP = '  '

/** Returns plain JSON as a person would write it: parts that fit on one line stay there, long lists of numbers fill their lines. */
export function formatJson(value: unknown): string {
  return laidOut(value, '', WIDTH)
}

/** `before`: how much of the first line is used. */
function laidOut(value: unknown, indent: string, before: number): string {
  const line = onOneLine(value)
  if (typeof value !== 'object' || value === null || indent.length + before + line.length <= WIDTH) return line
  const inner = indent + STEP
  if (!Array.isArray(value))
    return broken(
      '{}',
      Object.entries(value).map(([key, each]) => {
        const name = `${JSON.stringify(key)}: `
        return name + laidOut(each, inner, name.length)
      }),
      indent,
    )
  const flat = value.every((each) => typeof each !== 'object' || each === null)
  return broken(
    '[]',
    flat ? filled(value.map(onOneLine), WIDTH - inner.length) : value.map((each) => laidOut(each, inner, 0)),
    indent,
  )
}

function broken([open, close]: string, lines: readonly string[], indent: string): string {
  return `${open}\n${lines.map((line) => indent + STEP + line).join(',\n')}\n${indent}${close}`
}

/** Fills lines with items. The commas between lines are added later. */
function filled(items: readonly string[], width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const item of items) {
    if (line !== '' && line.length + item.length + 3 > width) {
      lines.push(line)
      line = ''
    }
    line += line === '' ? item : `, ${item}`
  }
  return [...lines, line]
}

/** Returns plain JSON on one line, with spaces. */
export function onOneLine(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(onOneLine).join(', ')}]`
  const entries = Object.entries(value).map(([key, each]) => `${JSON.stringify(key)}: ${onOneLine(each)}`)
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`
}
