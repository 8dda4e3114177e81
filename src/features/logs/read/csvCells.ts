/** The first line by which a spreadsheet tells itself the mark between cells. */
export const separatorLine = /^"?sep=.?"?\r?(\n|$)/i

/** Returns the cells of a line. A cell in quotes may hold the mark, and "" for a quote. */
export function cellsOf(line: string, mark: string): string[] {
  const cells: string[] = []
  let cell = ''
  let quoted = false
  for (let i = 0; i < line.length; i++) {
    const character = line[i]
    if (quoted && character === '"' && line[i + 1] === '"') cell += line[++i]
    else if (character === '"' && (quoted || cell === '')) quoted = !quoted
    else if (character === mark && !quoted) {
      cells.push(cell)
      cell = ''
    } else cell += character
  }
  return [...cells, cell]
}
