/** Returns the headers that are sent with the file at a path, which begins with a slash. */
export type PageHeaders = (path: string) => Readonly<Record<string, string>>

interface Rule {
  readonly path: string
  readonly drop: readonly string[]
  readonly set: readonly (readonly [name: string, value: string])[]
}

/**
 * Reads the `_headers` of a built page, which hosts read too: a path, in which "*" at the end stands for the rest, and below it, indented,
 * headers to send and, behind "!", headers of earlier rules to leave out.
 */
export function readHeaders(text: string): PageHeaders {
  const rules: Rule[] = []
  for (const line of text.split(/\r?\n/)) {
    if (line.trim() === '' || line.startsWith('#')) continue
    if (!/^\s/.test(line)) rules.push({ path: line.trim(), drop: [], set: [] })
    else {
      const rule = rules.pop() ?? { path: '', drop: [], set: [] }
      const [, name = line.trim(), value = ''] = line.match(/^\s+([\w-]+): (.*)$/) ?? []
      rules.push(name.startsWith('! ') ? { ...rule, drop: [...rule.drop, name.slice(2)] } : { ...rule, set: [...rule.set, [name, value]] })
    }
  }
  return (path) => {
    const found = new Map<string, string>()
    for (const rule of rules) {
      const fits = rule.path.endsWith('*') ? path.startsWith(rule.path.slice(0, -1)) : path === rule.path
      if (!fits) continue
      for (const name of rule.drop) found.delete(name)
      for (const [name, value] of rule.set) found.set(name, value)
    }
    return Object.fromEntries(found)
  }
}
