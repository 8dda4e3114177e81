import { generate } from 'lean-qr'

/** The quiet zone on each side of a code, in dots (ISO/IEC 18004), less a border that most terminals have anyway. */
const MARGIN = 2

/** Returns a link as a QR code for a terminal, two dots a character. `coloured`: black on white whatever the terminal's colours are. */
export function terminalCode(link: string, coloured: boolean): string {
  const code = generate(link)
  const isDark = (x: number, y: number) => code.get(x, y)
  const lines: string[] = []
  for (let y = -MARGIN; y < code.size + MARGIN; y += 2) {
    let line = ''
    for (let x = -MARGIN; x < code.size + MARGIN; x++) line += dots(isDark(x, y), isDark(x, y + 1), coloured)
    lines.push(coloured ? `\x1b[30;107m${line}\x1b[0m` : line)
  }
  return lines.join('\n')
}

/** Without colours the terminal is taken to write light on dark: what is light is drawn. */
function dots(above: boolean, below: boolean, coloured: boolean): string {
  const [upper, lower] = coloured ? [above, below] : [!above, !below]
  return upper ? (lower ? '█' : '▀') : lower ? '▄' : ' '
}
