import type { Page } from 'playwright-core'

/** Something that is opened on the page and closed again. */
export interface Opened {
  readonly name: string
  /** The buttons, tabs and items to press, by the beginnings of their names. */
  readonly open: readonly string[]
  /** The selector of what appears. */
  readonly there: string
  /** What closes it; null for a dialog. */
  readonly close: string | null
}

const tab = (name: string, id: string, back: string): Opened => ({
  name,
  open: [name],
  there: `#tab-${id}[aria-selected=true]`,
  close: back,
})
const dialog = (...open: string[]): Opened => ({
  name: open[open.length - 1],
  open,
  there: 'dialog[open]',
  close: null,
})

/** Each tab, panel and dialog of the page with a run. */
export const openings: readonly Opened[] = [
  tab('Results', 'figures', 'Decision'),
  tab('Settings', 'scenario', 'Decision'),
  tab('JSON', 'text', 'Decision'),
  tab('Compare', 'compare', 'Timeline'),
  tab('What if', 'sweep', 'Timeline'),
  tab('Real vs simulated', 'reality', 'Timeline'),
  dialog('Share'),
  dialog('Learn', 'Lessons'),
  dialog('Learn', 'Gallery'),
  dialog('Scenarios', 'My scenarios'),
  dialog('More', 'About and keys'),
  dialog('More', 'Save as video'),
  dialog('More', 'Ask the allocator'),
  dialog('More', 'Open a log'),
]

/** Opens and closes it repeatedly, with a frame or two between. */
export function openAndClose(page: Page, opened: Opened, times: number): Promise<void> {
  return page.evaluate(inPage, { opened, times })
}

async function inPage({
  opened: { name, open, there, close },
  times,
}: {
  opened: Opened
  times: number
}): Promise<void> {
  const until = async (what: string, is: () => boolean) => {
    const end = performance.now() + 30_000
    while (!is()) {
      if (performance.now() > end) throw new Error(`waited in vain: ${name}: ${what}`)
      await new Promise((resolve) => requestAnimationFrame(resolve))
    }
  }
  const named = (one: HTMLElement) => (one.getAttribute('aria-label') ?? one.textContent ?? '').trim()
  const found = (label: string) => {
    const all = [...document.querySelectorAll<HTMLElement>('button, [role=tab], [role^=menuitem]')]
    return all.find((one) => named(one) === label) ?? all.find((one) => named(one).startsWith(label))
  }
  const press = async (label: string) => {
    await until(label, () => found(label) !== undefined)
    found(label)?.click()
  }
  const frames = async () => {
    for (let k = 0; k < 2; k++) await new Promise((resolve) => requestAnimationFrame(resolve))
  }
  for (let k = 0; k < times; k++) {
    for (const label of open) await press(label)
    await until('it is there', () => document.querySelector(there) !== null)
    await frames()
    if (close === null) document.querySelector<HTMLDialogElement>('dialog[open]')?.close()
    else await press(close)
    await until('it is gone', () => document.querySelector(there) === null)
    await frames()
  }
}

/**
 * Mounts the whole app in an empty page, in a frame, and removes it in the middle of a run: `address` is that of its script,
 * `fragment` of a run on threads. Every second one is the element for other pages, the others a plain frame.
 */
export function putInAndOut(page: Page, address: string, fragment: string, times: number): Promise<void> {
  return page.evaluate(
    async ({ address, fragment, times }) => {
      const until = async (is: () => boolean | undefined) => {
        const end = performance.now() + 60_000
        while (!is()) {
          if (performance.now() > end) throw new Error('waited in vain for the app in its frame')
          await new Promise((resolve) => setTimeout(resolve, 10))
        }
      }
      const runs = (frame: HTMLIFrameElement | null | undefined) =>
        /^(Running|Finished)/.test(frame?.contentDocument?.querySelector('[role=status]')?.textContent ?? '')
      for (let k = 0; k < times; k++) {
        const element = document.createElement(k % 2 === 0 ? 'apportion-embed' : 'iframe')
        if (element instanceof HTMLIFrameElement) element.src = `${address}${fragment}&run=threads`
        else {
          element.setAttribute('scenario', fragment)
          element.setAttribute('run', 'threads')
        }
        document.body.append(element)
        await until(() =>
          runs(element instanceof HTMLIFrameElement ? element : element.shadowRoot?.querySelector('iframe')),
        )
        await new Promise((resolve) => setTimeout(resolve, 50))
        element.remove()
      }
    },
    { address, fragment, times },
  )
}
